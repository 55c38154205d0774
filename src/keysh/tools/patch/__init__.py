"""The command `patch`, declared in `command.py`.

`patch_reader` reads the hunks of a patch, `names` chooses the file, `hunk_fitter` finds where hunks
fit, and `file` writes the result through `folder`. Only `folder` touches the file system.
"""
