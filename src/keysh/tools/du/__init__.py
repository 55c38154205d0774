"""The command `du`; its declaration is in `command.py`."""
