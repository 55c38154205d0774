"""The command `csv`, declared in `command.py`.

It calls `reader` to turn CSV into records and `writer` for the way back; `form` is the dialect.
They know text, and neither options nor files.
"""
