"""The command `tr`, declared in `command.py`.

`byte_set` parses SETs into bytes. It knows nothing of streams, and only `command.py` is known
outside.
"""
