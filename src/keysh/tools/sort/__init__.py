"""The command `sort`; its declaration is in `command.py`."""
