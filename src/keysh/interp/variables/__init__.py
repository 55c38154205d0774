"""Variables: values by name and by path, arrays, attributes of names, special variables.

`value_paths` reads and writes `u[tags][0]`, `specials` computes `$?` and its kind, `show` prints
what `declare -p` prints. Compiled words, the state and the builtins call in. Nothing here runs
commands.
"""
