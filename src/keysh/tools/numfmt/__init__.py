"""The command `numfmt`; its declaration is in `command.py`."""
