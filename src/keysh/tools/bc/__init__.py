"""The command `bc`; its declaration is in `command.py`."""
