"""The command `diff`; its declaration is in `command.py`."""
