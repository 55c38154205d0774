"""The command `od`; its declaration is in `command.py`."""
