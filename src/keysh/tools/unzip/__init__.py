"""The command `unzip`; its declaration is in `command.py`."""
