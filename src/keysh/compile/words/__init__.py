"""Words: expanding the words of commands, loops and arrays, and values after `=`.

Entry: `words.words`, `words.text` and `values.value`, through the context. `word_analysis` says
whether a word may become several; `variables`, `spreads`, `unquoted`, `braces` and `glob_words`
expand its parts; `patterns` and `regexes` compile words that match.

Called by every other folder of compile/. It runs no commands itself.
"""
