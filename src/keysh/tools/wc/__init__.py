"""The command `wc`, declared in `command.py`.

`counts` counts chunks as they come, and whole texts at once. It knows strings, and neither options
nor files.
"""
