"""Parameters: `${…}` with an operator, a subscript or an indirection.

Entry: `expansions.expand`, with `replace.replace` and `slice.slice_of` beside it, through the
context. `subjects` reads the variable, element or list; the others change what was read. A value
of all elements, such as `${xs[@]}`, is a list, and an operator applies to each element.

Plain `$x` is not here: see words/variables.
"""
