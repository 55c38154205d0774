"""The builtin `read`: the command itself, and how it reads a terminal.

`command` declares it; `typing_in` is loaded only for a terminal, a time limit or single keys.
Nobody else uses it.
"""
