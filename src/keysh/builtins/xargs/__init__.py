"""The builtin `xargs`: a builtin because `-P` runs commands as jobs of the shell.

`command` declares it, `input_words` splits the input, `job` runs the commands.
"""
