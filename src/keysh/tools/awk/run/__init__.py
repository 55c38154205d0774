"""The machine and the library that generated awk code runs on.

`execution` starts a compiled program on a `machine`; the generated code calls the functions of the
other modules by name (`generate.compiler` lists them). Nothing here knows the tree.
"""
