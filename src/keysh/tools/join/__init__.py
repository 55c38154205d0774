"""The command `join`; its declaration is in `command.py`."""
