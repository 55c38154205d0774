"""The language: text to tokens (lexer/), tokens to a tree (builders/), a tree to text (printer/).

Enter at `parser.parse`; `ast` has the nodes, and grammar/keysh.lark the productions. The checker,
the compiler, the prompt and completion call it. It knows no commands, no variables and no files.
"""
