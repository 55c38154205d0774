"""jq: `command.py` declares the command and connects the parts.

`parse` builds the tree of a program, `compile` turns it into a Filter with the functions of
`library`, and `run` feeds it the inputs and prints its results. `values` reads, compares and
writes JSON values. Only `command.py` and `run` know `Call`; the rest knows no shell.
"""
