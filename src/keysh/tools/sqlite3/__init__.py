"""The command `sqlite3`; its declaration is in `command.py`."""
