"""Operations that several builtins share: declarations, file tests, `cd`, reading lines.

Each module is for a few of the commands in `keysh.builtins`, or for a builtin and a closure that
does the same, as `test` and `[[ … ]]`. Only they and the compiler call in. Nothing here parses
options.
"""
