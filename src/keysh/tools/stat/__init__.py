"""The command `stat`; its declaration is in `command.py`."""
