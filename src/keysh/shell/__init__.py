"""keysh.Shell and what stands behind it: the part that hosts embed.

Enter at `shell.Shell`; `runner.Runner` runs one script after another on the shell's state. The
adapters, the prompt and the command line call it, and hosts do, through `keysh`. It wires the
interpreter, compiler, checker and file systems together, and knows none of those that call it.
"""
