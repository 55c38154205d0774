"""The builtins `test` and `[`.

`command` declares them, `condition` parses the words, `operator` evaluates one operator. The tests
of files and of the shell are in `interp.builtin_operations`, because `[[ … ]]` has them too.
"""
