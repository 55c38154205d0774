"""The command `awk`, declared in `command.py`.

A program is parsed to a tree (`parse`), the tree becomes one Python function (`generate`), and the
function runs on the machine and library of `run`. Only `command.py` is known outside.
"""
