"""Variables: values by name and by path, arrays, special variables, and how they expand.

`value_paths` reads and writes `u[tags][0]`, `specials` computes `$?` and its kind, `declare_output`
prints what `declare -p` prints, `word_splitting` refuses what sh would split. Compiled words, the
state and the builtins call in. Nothing here runs commands.
"""
