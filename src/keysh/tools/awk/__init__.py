"""The command `awk`, declared in `command.py`: `parse`, then `generate` Python, then `run` it."""
