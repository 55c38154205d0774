"""Runtime: what compiled code and commands stand on while a script runs."""
