"""The command `chown`, declared in `command.py`.

`owner_changer` changes files and reports it; `chgrp` uses it too. The owners that it gets have been
looked up by the commands.
"""
