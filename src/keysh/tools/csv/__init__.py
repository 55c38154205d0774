"""The command `csv`; its declaration is in `command.py`."""
