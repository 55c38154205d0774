"""The command `getopt`, declared in `command.py`.

`option_scanner` reads words as getopt_long(3) does. It knows neither options of the command nor
quotes.
"""
