"""Time an audit: a record, the events of commands, and the verification of a log.

    python benchmarks/audit.py [--rounds N]

Each row is measured in every round, in an order that changes; medians, and the bound asked for.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from safety import Row, report_rows

from keysh import Audit, Shell, verify_audit
from keysh.interp.run.options import ASKS_HOST

REPEATS = 20_000


LOOP = "for i in {1..100}; do echo hi; done"
LOOP_EVENTS = 202  # of an audit: the run, each echo, and their ends


def audit_rows(directory: Path) -> Iterator[Row]:
    """Yield rows of an audit; those of the loop take 100 commands."""
    audit = Audit(directory / "audit")
    record = {"seq": 0, "time": 7.5, "event": "command", "span": 3, "parent": 1, "name": "echo"}
    record |= {"args": ["hi", "there"], "place": "keysh:1:1"}
    yield "a record", lambda n: audit.write({**record}), REPEATS, 5
    free, asking = Shell(), Shell(on_command=lambda name, arguments, place: True)
    audited, watched = Shell(audit=audit), Shell(on_event=lambda event: None)
    watchful = Shell()  # it takes the way of a shell that is watched, and nobody watches
    watchful.state.flags |= ASKS_HOST
    yield "100 echo without an audit", lambda n: free.run(LOOP), 50, None
    yield "100 echo with on_command", lambda n: asking.run(LOOP), 50, None
    yield f"100 echo, {LOOP_EVENTS} events", lambda n: audited.run(LOOP), 50, 5 * LOOP_EVENTS
    yield "100 echo as if watched", lambda n: watchful.run(LOOP), 50, None
    yield f"100 echo with on_event, {LOOP_EVENTS} events", lambda n: watched.run(LOOP), 50, None
    log = directory / "log"
    with Audit(log) as written:
        for _ in range(100_000 - 2):
            written.write({**record})
    yield "100,000 lines verified", lambda n: verify_audit(log), 1, 1e6


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        report_rows(__doc__, audit_rows(Path(directory)))


if __name__ == "__main__":
    main()
