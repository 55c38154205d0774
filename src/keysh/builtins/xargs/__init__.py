"""The command `xargs`; its declaration is in `command.py`."""
