"""grep: `command.py` declares the command.

`patterns.py` compiles the patterns to one regex, `files.py` opens the files, `search.py` selects
lines and `report.py` formats them, all by the options in `rules.py`. The search for lines itself is
in `text`, shared with other commands. Knows `Call` and streams only.
"""
