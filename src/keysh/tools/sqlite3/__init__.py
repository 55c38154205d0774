"""The command `sqlite3`, declared in `command.py`.

`script` splits the input into statements and dot commands (see `dot_commands`), `session` runs them
on a `database` held in memory, and `modes` prints rows. Only `database` reads and writes the file.
"""
