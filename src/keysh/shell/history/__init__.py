"""The past and the possible futures of a shell: forks and what becomes of them, changes, undo.

`shell.shell_history.ShellHistory` is the part of `Shell` that hosts call. Nothing here knows how a
script is run.
"""
