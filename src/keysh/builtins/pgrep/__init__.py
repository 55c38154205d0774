"""The command `pgrep`, declared in `command.py`.

`selection` finds the processes that a pattern and options select, among those that `ps` lists;
`pkill` has these options too.
"""
