"""Jobs: the table of background jobs, `%1` and the like, and the protocol of real programs.

`jobs.JobTable` is the table of a session; `external_api` says what `keysh.external` must offer. The
engine and the builtins `jobs`, `fg`, `wait` and `kill` call in. How a job runs is not known here:
see `interp.engine.background`.
"""
