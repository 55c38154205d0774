"""Declarations of commands: the one description behind binding, help, completion and checking.

Enter at `declare.command`, the decorator, and at `binder.bind`. The interpreter binds every call
here, the checker binds constant words before a script runs, and the documentation, JSON Schema and
completion render the same `Command`. Nothing here knows scripts, files or the interpreter.
"""
