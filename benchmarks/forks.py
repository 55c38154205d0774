"""Time and weigh forks of shells, next to `copy.deepcopy` of a dictionary of the same things.

    python benchmarks/forks.py [--rounds N]

Sessions of several sizes take turns in every round; medians in microseconds, kilobytes by
tracemalloc for each of a thousand forks that exist at the same time.
"""

from __future__ import annotations

import argparse
import copy
import gc
import statistics
import time
import tracemalloc
from collections import defaultdict
from collections.abc import Callable
from functools import partial

from keysh import Shell

FORKS = 1000
REPEATS = 50
SESSIONS = {
    "new": (0, 0),
    "100 files": (100, 10),
    "1,000 files": (1000, 100),
    "10,000": (10**4, 10**4),
}
USE = "x=1; echo line > /tmp/own"


def session(files: int, variables: int) -> Shell:
    """Return a shell with a number of files and of variables."""
    shell = Shell(files={f"/d/f{number}": f"{number}\n" * 10 for number in range(files)})
    for number in range(variables):
        shell.vars[f"v{number}"] = [number] if number % 10 == 0 else number
    shell.run("x=0")
    return shell


def plain_copy(files: int, variables: int) -> Callable[[], object]:
    """Return what copies plain dictionaries of the same."""
    contents = {f"/d/f{number}": f"{number}\n" * 10 for number in range(files)}
    values = {f"v{number}": [number] if number % 10 == 0 else number for number in range(variables)}
    return partial(copy.deepcopy, (contents, values))


def used_fork(shell: Shell) -> Shell:
    fork = shell.fork()
    fork.run(USE)
    return fork


def merge_cycle(shell: Shell, fork: Shell) -> None:
    """Let a fork change something, and take it over."""
    fork.run(USE)
    shell.merge(fork)


def measures(size: tuple[int, int]) -> dict[str, Callable[[], object]]:
    """Return what is timed for a session of a size."""
    shell = session(*size)
    # One that has run something has tables of its own, in which nothing differs.
    unchanged, merging = shell.fork(), shell.fork()
    unchanged.run("true")
    return {
        "fork": shell.fork,
        "fork after a run": lambda: (shell.run("x=0"), shell.fork()),
        "fork, and a first run in it": partial(used_fork, shell),
        "changes, none": lambda: bool(unchanged.changes()),
        "a run, and its merge": partial(merge_cycle, shell, merging),
        "deepcopy of dictionaries": plain_copy(*size),
    }


def time_all(rounds: int) -> dict[tuple[str, str], list[float]]:
    """Return the microseconds of each measure in each session."""
    spent = defaultdict(list)
    acts = {name: measures(size) for name, size in SESSIONS.items()}
    for _ in range(rounds):
        for name, contenders in acts.items():
            for measure, act in contenders.items():
                repeats = 3 if measure.startswith("deepcopy") else REPEATS
                start = time.perf_counter()
                for _ in range(repeats):
                    act()
                spent[measure, name].append((time.perf_counter() - start) / repeats * 1e6)
    return spent


def kilobytes(make: Callable[[], object]) -> float:
    """Return what each of a thousand objects weighs."""
    make()
    gc.collect()
    tracemalloc.start()
    kept = [make() for _ in range(FORKS)]
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    del kept
    return size / FORKS / 1000


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=7)
    spent = time_all(options.parse_args().rounds)
    print(f"{'microseconds':30}", *(f"{name:>12}" for name in SESSIONS))
    for measure in dict.fromkeys(measure for measure, _ in spent):
        medians = (statistics.median(spent[measure, name]) for name in SESSIONS)
        print(f"{measure:30}", *(f"{median:12.1f}" for median in medians))
    print(f"{'kilobytes of a fork':30}", *(f"{name:>12}" for name in SESSIONS))
    shells = [session(*size) for size in SESSIONS.values()]
    for measure, make in (("unused", Shell.fork), ("used", used_fork)):
        weights = (kilobytes(partial(make, shell)) for shell in shells)
        print(f"{measure:30}", *(f"{weight:12.1f}" for weight in weights))


if __name__ == "__main__":
    main()
