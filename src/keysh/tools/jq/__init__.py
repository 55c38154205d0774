"""The command `jq`; its declaration is in `command.py`."""
