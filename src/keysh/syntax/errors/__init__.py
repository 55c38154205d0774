"""Syntax errors: an unexpected token becomes diagnostics with fixes. Enter at `recover.diagnose`.

The parser calls it after the first token that no rule allows, and imports it only then, since it
loads Lark. `unexpected` describes the token, `openers` what is open around it, and the other
modules choose the message. It knows tokens and the grammar, but neither the tree nor commands.
"""
