"""The compiler of jq: turns the tree of a program into Filters, Python functions of JSON values.

Enter at `program.program_of`, which caches. `code` explains what a Filter is, `compiler` has one
function per node, and the other modules build the Filters. Knows the inputs only as a JqRun.
"""
