"""The command `tree`, declared in `command.py`.

`selection` reads, filters and sorts a directory into `node`s, and `tree_printer` prints them as
text, JSON or XML. Only `selection` and `git_ignore` touch the file system.
"""
