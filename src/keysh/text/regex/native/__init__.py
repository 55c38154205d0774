"""Matching with Python's `re`, as far as that is cheap for the text.

`native` decides and compiles, with the translation of `to_re`; `tester` answers whether there is
a match, and `line_search` selects lines of a block; `guards` tells generated code when it may
call `re` directly. Called by `regex`, grep, sed and awk. Other engines are
reached only through `Regex`.
"""
