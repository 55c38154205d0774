"""Time what safety costs: confinement, rules, the audit and workers, one after the other.

    python benchmarks/safety.py [--rounds N]

Each part is a benchmark of its own beside this one, with the bounds that are asked of it.
"""

from __future__ import annotations

import argparse
import random
import runpy
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeAlias

PARTS = ("confinement", "rules", "audit", "workers")
# A name, the work for a number of repeats, how many of them, and the bound that is asked, in us.
Row: TypeAlias = "tuple[str, Callable[[int], object], int, float | None]"


def seconds_of(work: Callable[[int], object], repeats: int) -> float:
    """Return the processor time of one call, which gets another number each time."""
    begin = time.process_time()
    for number in range(repeats):
        work(number)
    return (time.process_time() - begin) / repeats


def report_rows(description: str | None, rows: Iterable[Row]) -> None:
    """Measure each row in every round, in an order that changes, and print the medians."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--rounds", type=int, default=9)
    rounds, every = parser.parse_args().rounds, [*rows]
    times: dict[str, list[float]] = {name: [] for name, *_ in every}
    for _ in range(rounds):
        for name, work, repeats, _ in random.sample(every, len(every)):
            times[name].append(seconds_of(work, repeats) * 1e6)
    for name, _, _, bound in every:
        asked = "" if bound is None else f"   (at most {bound})"
        print(f"{name:32} {statistics.median(times[name]):8.2f} us{asked}")


def main() -> None:
    for part in PARTS:
        print(f"---- {part}", flush=True)
        sys.argv[0] = part
        runpy.run_path(str(Path(__file__).with_name(f"{part}.py")), run_name="__main__")


if __name__ == "__main__":
    main()
