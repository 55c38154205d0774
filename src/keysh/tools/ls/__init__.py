"""The command `ls`; its declaration is in `command.py`."""
