"""The program `keysh`.

The start file calls `main.main`. It runs a script or a prompt (`run_script`) or a subcommand; each
is declared with `@command`, from which `manual` makes the help and completion.
Nothing below may import from here.
"""
