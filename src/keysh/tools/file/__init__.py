"""The command `file`; its declaration is in `command.py`."""
