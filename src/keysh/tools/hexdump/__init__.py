"""The command `hexdump`, declared in `command.py`.

`format_units` parses formats, of which every option stands for some, and `dump` prints blocks of
bytes by them. Only `command.py` knows files.
"""
