"""The program `keysh`.

`main.main` is where the start file enters. It runs a script or a prompt (`run_script`) or a
subcommand; each is declared with `@command`, and `manual` makes help and completion of that.
Nothing below may import from here.
"""
