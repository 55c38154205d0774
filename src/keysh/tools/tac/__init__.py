"""The command `tac`, declared in `command.py`.

`backward_search` finds the separators from the end, as GNU's does with -r. It knows strings only.
"""
