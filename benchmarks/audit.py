"""Time an audit: a record, the events of commands, and the verification of a log.

    python benchmarks/audit.py [--rounds N]

Each row is measured in every round, in an order that changes; medians, and the bound asked for.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from keysh import Audit, Shell, verify_audit

REPEATS = 20_000


def seconds_of(work: Callable[[int], object], repeats: int) -> float:
    """Return the processor time of one call, which gets another number each time."""
    begin = time.process_time()
    for number in range(repeats):
        work(number)
    return (time.process_time() - begin) / repeats


LOOP = "for i in {1..100}; do echo hi; done"
LOOP_EVENTS = 202  # of an audit: the run, each echo, and their ends


def audit_rows(directory: Path) -> Iterator[tuple[str, Callable[[int], object], int, float | None]]:
    """Yield rows of an audit; those of the loop take 100 commands."""
    audit = Audit(directory / "audit")
    record = {"seq": 0, "time": 7.5, "event": "command", "span": 3, "parent": 1, "name": "echo"}
    record |= {"args": ["hi", "there"], "place": "keysh:1:1"}
    yield "a record", lambda n: audit.write({**record}), REPEATS, 5
    free, asking = Shell(), Shell(on_command=lambda name, arguments, place: True)
    audited = Shell(audit=audit)
    yield "100 echo without an audit", lambda n: free.run(LOOP), 50, None
    yield "100 echo with on_command", lambda n: asking.run(LOOP), 50, None
    yield f"100 echo, {LOOP_EVENTS} events", lambda n: audited.run(LOOP), 50, 5 * LOOP_EVENTS
    log = directory / "log"
    with Audit(log) as written:
        for _ in range(100_000 - 2):
            written.write({**record})
    yield "100,000 lines verified", lambda n: verify_audit(log), 1, 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    directory = tempfile.TemporaryDirectory()
    rows = [*audit_rows(Path(directory.name))]
    times: dict[str, list[float]] = {name: [] for name, *_ in rows}
    for _ in range(rounds):
        for name, work, repeats, _ in random.sample(rows, len(rows)):
            times[name].append(seconds_of(work, repeats) * 1e6)
    for name, _, _, bound in rows:
        asked = "" if bound is None else f"   (at most {bound})"
        print(f"{name:32} {statistics.median(times[name]):8.2f} us{asked}")


if __name__ == "__main__":
    main()
