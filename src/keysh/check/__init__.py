"""The checker: certain errors in a script before its first command runs. Enter at `checker.check`.

The shell checks every script before it runs; `keysh check` and `migrate` print what is found. A
walk gathers facts, then rules judge them (commands, variables, splitting/). It knows the syntax
tree and the declarations of commands, but no state: nothing is run and no file is read.
"""
