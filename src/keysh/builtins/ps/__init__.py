"""The builtin `ps`: a builtin because its processes are the shell and its jobs.

`command` declares it, `request` reads the options of all its dialects, `columns` has the table of
columns, `process` the processes.
"""
