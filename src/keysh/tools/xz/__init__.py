"""The command `xz`; its declaration is in `command.py`."""
