"""Copying files as GNU's cp does, for cp, mv, ln and install.

Enter at `copier.Copier`, with `rules` read from the options and sources from `destination`.
`same_file` decides whether a copy would replace its source, `maker` creates the copies, and
`replacement` rewrites a single file in place. It prints GNU's messages, but parses no command
line.
"""
