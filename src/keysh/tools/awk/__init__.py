"""The command `awk`; its declaration is in `command.py`."""
