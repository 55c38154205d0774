"""The command `fmt`; its declaration is in `command.py`."""
