"""The command `ls`, declared in `command.py`.

`settings` reads the options, `lookup` the files, `listing` sorts and prints them by `layout`,
`names` and `colors`. Only `lookup` touches the file system.
"""
