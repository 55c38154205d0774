"""getopt: `command.py` is the command, `option_scanner.py` reads words as getopt_long(3) does."""
