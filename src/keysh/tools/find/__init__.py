"""The command `find`, declared in `command.py`.

`expression` parses the words into one predicate, made of the tests and actions in `test`, `owner`,
`times` and `action`; `search` walks directories and applies it. Tests do not know the walk.
"""
