"""The syntax of jq: tokens, nodes and the parser.

Enter at `parser.parse_program`. `lexer` makes the tokens, `terms` and `parser` the tree of the
nodes in `syntax`. Knows nothing of what the nodes compile to.
"""
