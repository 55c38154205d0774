"""The command `file`, declared in `command.py`.

`kind` identifies contents: first by the rows of `magic_files` and `magic_media`, which `magic`
interprets, then as an archive, a program, a script or a text. Nothing but `contents` reads files.
"""
