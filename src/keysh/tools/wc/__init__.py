"""The command `wc`; its declaration is in `command.py`."""
