"""The printer: a syntax tree becomes its canonical text. Enter at `printer.format_script`.

`keysh fmt`, `declare -f` and the checker's fixes call it. The modules name the kinds of nodes they
print; `writer` runs the pieces they return. It reads the source only for comments and broken lines,
and it never changes what a script means: parsing its output gives an equal tree.
"""
