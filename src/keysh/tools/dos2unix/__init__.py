"""The commands `dos2unix` and `unix2dos`, declared in `command.py`.

`line_breaks` counts and converts the line breaks of a text; it knows no files.
"""
