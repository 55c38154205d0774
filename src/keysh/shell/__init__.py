"""`keysh.Shell`, and all that stands behind it.

`shell.Shell` is the way in for hosts; the program, the prompt and the adapters are such hosts. It
wires the registry of commands, the script cache and the file systems, and `runner.Runner` runs one
script after the other. Nothing here knows terminals or the command line.
"""
