"""State: what a script can change, what all forks share, and what a command sees of both.

One enters with `state.State`, which is built of `standard_streams`, `position` and `scope`; its
`Session` is shared by all forks. `call.Call` is what a command gets. The engine, compiled closures
and builtins call in. The state knows no engine: what it needs of it comes through
`session.services`. docs/internals/state.md has the picture.
"""
