"""The command `diff`, declared in `command.py`.

`pair` compares two files and `folder` two directories; `edit` finds the changes, and a module for
each output style (`normal`, `context`, `side_by_side` …) prints them. `edit` knows lines only.
"""
