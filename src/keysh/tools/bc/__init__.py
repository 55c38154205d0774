"""The command `bc`, declared in `command.py`.

`session` parses a program item by item, compiles each to a Python function (`compiler`) and runs it
on the `machine`. Only `command.py` is known outside.
"""
