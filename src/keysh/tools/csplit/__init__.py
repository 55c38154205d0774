"""The command `csplit`, declared in `command.py`.

`pattern` reads the words that say where to split, `output` names, writes and removes the pieces;
neither knows the other.
"""
