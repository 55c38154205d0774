"""The command `split`; its declaration is in `command.py`."""
