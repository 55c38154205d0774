"""Engine: commands, functions, pipelines, substitutions, traps, jobs and scripts at work.

`command_lookup` says what a name means, `before_command` whether it may run, `dispatch` runs it,
`invoke` calls a builtin, `pipeline` joins stages, `errexit` and `endings` do what a failure or the
end of a body asks for. Compiled closures and builtins call in. The engine knows no syntax tree but
what it shows in messages, and no single command. docs/internals has pages on pipelines, statuses
and cancelling.
"""
