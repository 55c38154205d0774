"""The command `mv`; its declaration is in `command.py`."""
