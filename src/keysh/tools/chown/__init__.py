"""chown: `command.py` is the command, `owner_changer.py` changes the files, also for chgrp."""
