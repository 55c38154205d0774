"""Interpreter: what compiled scripts run on.

The rows, each of which knows only those before it: `run` (limits, options, control flow), then
`streams`, `variables` and `jobs`, then `state`, `engine` and `builtins`. One enters with a `State`
(`interp.state.state`) and a compiled body. `compile`, `external`, the builtins and `shell` call in;
tools know `interp.state.call` only. Nothing here knows the compiler, the commands or the host's
API.
"""
