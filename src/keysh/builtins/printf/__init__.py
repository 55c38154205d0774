"""The command `printf`; its declaration is in `command.py`."""
