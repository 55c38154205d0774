"""The command `tail`, declared in `command.py`.

`ends` takes the last lines or bytes of a stream, and `follower` waits for what is added (-f).
`ends` knows chunks only.
"""
