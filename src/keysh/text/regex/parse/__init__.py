"""Parsers, one for each syntax, which all make the same tree.

`posix` has basic, extended and the dialects of grep, sed and awk; `perl` has PCRE2's, and
`oniguruma` jq's; `fixed` has literal strings, and `emacs` translates to extended syntax. Called
by `regex`, find and tac. A parser raises RegexError with its tool's message, and matches
nothing itself.
"""
