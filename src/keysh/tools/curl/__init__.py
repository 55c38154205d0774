"""The command `curl`; its declaration is in `command.py`."""
