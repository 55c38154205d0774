"""The builtins: commands that may know the state of the shell, one file or folder each.

The listing is the registry: the command is the function of the file's name, in a folder that of
`command.py`. `keysh.shell.command_listing` finds it when a script first calls it. A builtin gets
the state by `interp.state.state_of_call.state_of`; it knows neither the compiler nor the shell
object.
"""
