"""sed: `command.py` declares the command.

`reader.py` parses a script into Steps. `compiler.py` turns them into one generated Python function,
which runs on an Execution; `whole.py` edits whole chunks at once if the script is simple enough.
tar borrows `replacement.py` and `substitute.py` for --transform. Knows `Call` and streams only.
"""
