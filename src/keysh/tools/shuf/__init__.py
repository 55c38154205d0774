"""The command `shuf`, declared in `command.py`.

`random_choice` draws numbers from --random-source as GNU tools do. It knows bytes, and nothing of
lines or options.
"""
