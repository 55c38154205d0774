"""The command `sed`; its declaration is in `command.py`."""
