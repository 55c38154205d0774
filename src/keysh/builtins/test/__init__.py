"""The command `test`; its declaration is in `command.py`."""
