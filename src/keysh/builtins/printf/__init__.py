"""The builtin `printf`: a builtin because `-v` and `%n` assign variables.

`command` declares it, `form` parses formats and converts, `values` hands out the arguments.
"""
