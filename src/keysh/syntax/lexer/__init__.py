"""The lexer: a text becomes tokens. Enter at `scanner.scan`.

What a character means depends on where it stands: each module defines lexical modes, lists of rules
that a Cursor applies until an action changes the mode. The parser, the prompt and completion call
it. It knows no grammar: a wrong token is the parser's to refuse.
"""
