"""The command `du`, declared in `command.py`.

It calls `usage`, which walks directories and adds up sizes. `usage` knows the call's files, and
not how sizes are printed.
"""
