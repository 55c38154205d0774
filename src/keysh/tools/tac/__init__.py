"""The command `tac`; its declaration is in `command.py`."""
