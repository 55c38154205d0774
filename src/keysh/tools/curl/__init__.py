"""The command `curl`, declared in `command.py`.

`run_setup` turns each set of options into a `run`, which fetches its URLs by `transfer` and writes
them by `delivery`. Only `connection` opens sockets, and only where the host's network allows it.
"""
