"""The command `stat`, declared in `command.py`.

`form` compiles a format, and `fields` gives the value of each directive. They know what a file
system says of a file, and not how files are named on the command line.
"""
