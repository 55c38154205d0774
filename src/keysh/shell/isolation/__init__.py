"""Isolation: shells that live in worker processes, as their host sees them.

`isolated_shell.IsolatedShell` has the methods of a Shell, `pool.Pool` has the worker processes, and
`worker_process.WorkerProcess` is one of them. Both sides talk through a `peer.Peer`, in `frames`.
What comes from a worker is input of an attacker: `frames` bounds it, `result_records` reads it, and
`host_calls` does what a worker may ask its host for. The worker's side is `keysh.worker`.
"""
