"""pgrep: `command.py` is the command, `selection.py` finds processes, also for pkill."""
