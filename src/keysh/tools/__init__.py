"""The tools: the commands that know nothing of the shell but their `Call`.

A command is the file of its name, or `command.py` in the folder of its name; the listing is half of
the registry (`builtins` is the other half). `shell.command_listing` imports a command when a script
first names it. A tool imports `interp.state.call`, streams and control flow, and nothing else of
the interpreter.
"""
