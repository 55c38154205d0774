"""The command `chown`, declared in `command.py`.

`owner_options` has the help and the run that chgrp shares; `owner_changer` changes files and
reports it. The owners that it gets have been looked up.
"""
