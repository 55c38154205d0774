"""A shell that lives in one SQLite file: its files, its state and what it has run.

    run --> StoredRunner: begin, lock the file --> Runner --> commit: files, state and entry at once

`opening.open_store` is the way in, and `session_store.SessionStore` the store of a shell. Its
tables are in `session_tables` and `version_tables`, beside those of the Agent Filesystem
Specification. `stored_runner` stores each run, `run_start` takes back one that cannot be stored,
and `stored_journal` has the history. docs/state.md tells hosts what they may rely on.
"""
