"""The command `tr`; its declaration is in `command.py`."""
