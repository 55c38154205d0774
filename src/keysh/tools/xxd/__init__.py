"""The command `xxd`; its declaration is in `command.py`."""
