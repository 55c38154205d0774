"""The command `run`; its declaration is in `command.py`."""
