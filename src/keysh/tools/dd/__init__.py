"""The command `dd`, declared in `command.py`.

`operands` parses `if=`, `bs=` and the like; `blocks` copies. Neither knows the other, and only
`command.py` is known outside.
"""
