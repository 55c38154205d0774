"""Engines for what `re` must not match, or cannot match as POSIX wants it.

`program` compiles a tree. `linear` finds whether and where there is a match, in one pass; `pike`
finds the groups; `backtrack` handles back references within a budget. Called by `regex` alone.
They know programs and texts, not syntaxes, and raise RegexLimit instead of running long.
"""
