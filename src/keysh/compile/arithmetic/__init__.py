"""Arithmetic: expressions of `((…))`, `$((…))`, `let`, slices and subscripts.

Entry: `expressions.arithmetic`, through `CompileContext.arithmetic`. Numbers are signed 64-bit
integers or floats; overflow is an error. `variables` reads and sets variables and elements,
`operators` has one function for each operator, `fast_pairs` the forms that loops are made of.

It evaluates no strings as code: a variable holds a number or is refused.
"""
