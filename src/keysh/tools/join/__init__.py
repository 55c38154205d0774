"""The command `join`, declared in `command.py`.

`merge_join` joins two sorted streams of lines. It knows fields and lines, and neither options nor
files.
"""
