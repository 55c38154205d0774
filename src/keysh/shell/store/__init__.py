"""A shell that lives in one SQLite file: its files, its state and what it has run.

    run --> StoredRunner: begin, lock the file --> Runner --> commit: files, state and entry at once

`session_store.SessionStore` is the way in. `session_tables` has the tables that keysh adds to those
of the Agent Filesystem Specification, `stored_runner` stores each run, and `run_start` takes back
one that cannot be stored. docs/state.md tells hosts what they may rely on.
"""
