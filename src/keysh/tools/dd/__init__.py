"""The command `dd`; its declaration is in `command.py`."""
