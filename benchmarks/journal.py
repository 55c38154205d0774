"""Time what a journal costs: the same scripts with a journal and without one.

    python benchmarks/journal.py [--rounds N]

Each script is one run. The shells with a journal and without take turns in every round, on files
in memory, in a directory of the machine, in an overlay over it, and in a SQLite file. Medians of
the processor's time, which other programs on the machine do not disturb much.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from keysh import FileSystem, LocalFS, MemoryFS, OverlayFS, Router, Shell, SqliteFS

SCRIPTS = {
    "write 300 small files": "for i in {1..300}; do echo line $i > f$i; done",
    "write them again": "for i in {1..300}; do echo again $i > f$i; done",
    "append 300 times to one": "for i in {1..300}; do echo line $i >> log; done",
    "move and remove them": "mkdir d; mv f* d; rm -r d",
    "a pipeline": "seq 1 20000 | grep 7 | sed 's/7/x/' | sort | uniq -c | wc -l",
    "a pipeline into a file": "seq 1 20000 | grep 7 | sort -r > sorted",
    "echo": "echo hi",
}
MAKERS: dict[str, Callable[[Path], FileSystem]] = {
    "memory": lambda _: MemoryFS(),
    "local": LocalFS,
    "overlay": lambda place: OverlayFS(LocalFS(place)),
    "sqlite": lambda place: SqliteFS(place / "files.db"),
}


class Contender:
    """A shell, with a journal or without one."""

    def __init__(self, fs: FileSystem, *, has_journal: bool) -> None:
        self.shell = Shell(Router(fs), journal=has_journal)
        self.shell.run("true")

    def seconds(self, script: str) -> float:
        """Return the processor's time of one run."""
        start = time.process_time()
        self.shell.run(script)
        return time.process_time() - start


def measure(make: Callable[[Path], FileSystem], rounds: int) -> dict[tuple[str, bool], float]:
    """Return the seconds of each script without a journal and with one."""
    spent = defaultdict(list)
    for number in range(rounds):
        for has_journal in (number % 2 == 0, number % 2 == 1):
            with tempfile.TemporaryDirectory() as directory:
                contender = Contender(make(Path(directory)), has_journal=has_journal)
                gc.collect()
                for name, script in SCRIPTS.items():
                    spent[name, has_journal].append(contender.seconds(script))
    return {key: statistics.median(times) for key, times in spent.items()}


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=21)
    rounds = options.parse_args().rounds
    print(f"{'milliseconds':28} {'files':8} {'without':>9} {'with':>9} {'ratio':>7}")
    for kind, make in MAKERS.items():
        times = measure(make, rounds)
        for name in SCRIPTS:
            without, journalled = times[name, False], times[name, True]
            print(
                f"{name:28} {kind:8} {without * 1000:9.3f} {journalled * 1000:9.3f} "
                f"{journalled / without:7.3f}"
            )


if __name__ == "__main__":
    main()
