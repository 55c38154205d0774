"""The command `env`, declared in `command.py`.

`syntax.env_string` splits the text of -S and `signals` reads the signal options; both are pure
functions. Only `command.py` knows the environment.
"""
