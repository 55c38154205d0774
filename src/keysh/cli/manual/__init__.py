"""The program's manual: the page keysh(1), and completion of `keysh` for bash, fish and zsh.

Both are made from the declarations of the program's subcommands (`cli.options`, `cli.subcommands`);
`cli.main` and `keysh complete` call them. Nothing here knows how a subcommand works.
"""
