"""The command `ps`; its declaration is in `command.py`."""
