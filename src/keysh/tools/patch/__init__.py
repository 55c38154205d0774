"""The command `patch`; its declaration is in `command.py`."""
