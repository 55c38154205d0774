"""The command `bc`, declared in `command.py`. Programs are compiled to Python item by item."""
