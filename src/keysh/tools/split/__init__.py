"""The command `split`, declared in `command.py`.

It cuts the input; `pieces` names, opens and closes the output files or filter commands. `pieces`
does not know where the input is cut.
"""
