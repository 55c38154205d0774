"""The command `env`; its declaration is in `command.py`."""
