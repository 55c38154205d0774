"""The command `unzip`, declared in `command.py`.

`archive` goes through the members; `listing` and `info` describe them, `extract` writes them. The
format itself is in `archive.zip`; only `extract` writes to the file system.
"""
