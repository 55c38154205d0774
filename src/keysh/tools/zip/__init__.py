"""The command `zip`, declared in `command.py`.

`sources` finds the files, `maker` turns them into members, and `archive` writes the old and the new
members. The format itself is in `archive.zip`.
"""
