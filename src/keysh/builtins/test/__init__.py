"""The builtins `test` and `[`.

`command` declares them, `condition` parses the words, `operator` evaluates one operator. The tests
of files and of the shell are in `interp.builtins`, because `[[ … ]]` has them too.
"""
