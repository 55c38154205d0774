"""The command `od`, declared in `command.py`.

`dump` formats blocks of bytes, and `nul_strings` finds strings for -S. Both know bytes only.
"""
