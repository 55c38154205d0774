"""The command `mv`, declared in `command.py`.

`mover` moves one file or tree, with backups and prompts as GNU's has them; between file systems it
copies by `gnu.copy`. `command.py` decides what to move where.
"""
