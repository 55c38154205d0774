"""hexdump: `command.py` is the command, `format_units.py` reads formats, `dump.py` prints."""
