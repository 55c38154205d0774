"""The command `tar`; its declaration is in `command.py`."""
