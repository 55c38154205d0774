"""The command `find`; its declaration is in `command.py`."""
