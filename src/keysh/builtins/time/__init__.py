"""The command `time`, declared in `command.py`.

`resource_report` is the report of GNU's program, for `-f` and `-v`. The keyword has its own, in
`interp.builtin_operations`.
"""
