"""The command `tail`; its declaration is in `command.py`."""
