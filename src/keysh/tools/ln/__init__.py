"""The command `ln`, declared in `command.py`.

`link_maker` makes one link, with backups and prompts as GNU's has them. `command.py` decides which
links to make, and is all that is known outside.
"""
