"""sort: `command.py` declares the command.

`key.py` parses keys, `extract.py` takes their texts out of the lines, `order.py` converts the texts
to values to compare, and `arrange.py` sorts, merges or checks by them. `pieces.py` sorts long lists
so that a run can be cancelled. Knows `Call` and streams only.
"""
