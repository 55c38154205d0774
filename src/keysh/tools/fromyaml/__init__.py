"""The command `fromyaml`; its declaration is in `command.py`."""
