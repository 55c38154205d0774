"""What a Policy has to know about programs: their interpreters, and variables that load code.

`policy.Policy` asks here. `interpreters_of` reads the `#!` line of a script as the kernel does;
`LOADER_VARIABLES` are the patterns of variables that programs do not receive.
"""
