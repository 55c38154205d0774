"""What a host passes in and takes out by itself: the input of a run, and variables.

`host_stdin` reads what a run has as standard input, `host_variables` is `Shell.vars`. Most runs
need neither, so that both are loaded late.
"""
