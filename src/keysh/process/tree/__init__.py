"""Trees of processes: find all that a process has started, stop it as a whole, and kill it.

    process_table -> ProcessTree.members -> freeze -> Escalation: TERM, grace, freeze, KILL

Entry: `kill.Escalation` for the tree of one process, `kill.end_tagged` for all processes that
carry a tag. Called by process/ and external/; it knows neither pipes nor results.
"""
