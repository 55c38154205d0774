"""The command `numfmt`, declared in `command.py`.

`conversion` converts the numbers of lines, and `scaled` one number. `scaled` is arithmetic alone;
neither knows files.
"""
