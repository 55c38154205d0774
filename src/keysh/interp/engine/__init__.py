"""Engine: commands, functions, pipelines, substitutions, traps, jobs and scripts at work.

`meaning` says what a name means, `dispatch` runs it, `invoke` calls a builtin, `pipeline` joins
stages, `endings` turns the end of any of these into a status. Compiled closures and builtins call
in. The engine knows no syntax tree but what it shows in messages, and no single command.
docs/internals has pages on pipelines, statuses and cancelling.
"""
