"""The command `shuf`; its declaration is in `command.py`."""
