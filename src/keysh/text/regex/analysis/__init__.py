"""Analysis of a tree: what it would cost `re`, which literals it needs, what can be dropped.

`cost` estimates steps, with `determinism` for patterns that need no backtracking; `loops` finds
rescanning; `literals`, `reduce` and `lower_case_search` make tests cheap. Called by `native` and
`regex` when a pattern is built or first used. It sees only trees and character sets, and texts
for the length of runs; it runs no engine.
"""
