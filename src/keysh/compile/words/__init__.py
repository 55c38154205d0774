"""Words: expanding the words of commands, loops and arrays, and values after `=`.

Entry: `words.words`, `words.text` and `values.value`, through the context. `marks` tells how many
words a word may become; `variables`, `spreads`, `unquoted`, `braces`, `globs` expand its parts;
`patterns` and `regexes` compile words that match.

Called by every other folder of compile/. It runs no commands itself.
"""
