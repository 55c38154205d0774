"""The command `curl`, declared in `command.py`. httpcore speaks HTTP; the host's policy decides."""
