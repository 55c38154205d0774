"""The command `grep`; its declaration is in `command.py`."""
