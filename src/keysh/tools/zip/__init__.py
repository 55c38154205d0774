"""The command `zip`; its declaration is in `command.py`."""
