"""The command `read`; its declaration is in `command.py`."""
