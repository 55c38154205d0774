"""The command `tree`; its declaration is in `command.py`."""
