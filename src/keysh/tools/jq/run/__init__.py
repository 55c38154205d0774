"""The run of a jq program: inputs, external variables, output and errors.

Enter at `session.JqSession`. `run` offers the inputs and the clock to the program, `variables`
reads `--arg` and so on. Knows `Call`, but no syntax of programs.
"""
