"""The command `ln`; its declaration is in `command.py`."""
