"""The command `column`; its declaration is in `command.py`."""
