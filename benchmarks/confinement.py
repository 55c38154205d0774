"""Time what confinement costs, beside the same work without it.

    python benchmarks/confinement.py [--rounds N]

`confine`: /bin/true by `keysh.process`, free, confined, and by bubblewrap if it is installed. The
contenders take turns; each line has the median and the lowest, in milliseconds, and what the
confinement adds. The first program of a policy also starts its launching thread: `first`.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import time
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory

from keysh import Confinement, LocalFS, Policy, Shell
from keysh.process import ProcessSpec, run

TRUE = "/bin/true"
ENV = {"PATH": "/usr/bin:/bin"}
WARM_ROUNDS = 20
FIRST_ROUNDS = 20
MAX_ADDED_MILLISECONDS = 0.1
BUBBLEWRAP = ("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-all", TRUE)


def milliseconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1e3


def measure_rounds(
    contenders: dict[str, Callable[[], object]], rounds: int
) -> dict[str, list[float]]:
    """Let the contenders take turns, and return the times of each."""
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for number in range(rounds + WARM_ROUNDS):
        for name, act in contenders.items():
            took = milliseconds(act)
            if number >= WARM_ROUNDS:
                times[name].append(took)
    return times


def program_contenders(folder: str) -> dict[str, Callable[[], object]]:
    """Return /bin/true, started in each way."""
    free, held = Policy(), Policy(confine=Confinement(write=[folder]))
    contenders: dict[str, Callable[[], object]] = {
        "free": lambda: run(ProcessSpec([TRUE], env=ENV, policy=free, directory=folder)),
        "confined": lambda: run(ProcessSpec([TRUE], env=ENV, policy=held, directory=folder)),
    }
    shells = {
        name: Shell({"/": LocalFS(folder)}, env=ENV, external=policy)
        for name, policy in (("free", Policy()), ("confined", Policy(confine="require")))
    }
    for name, shell in shells.items():
        contenders[f"shell, {name}"] = partial(shell.run, TRUE)
    if shutil.which("bwrap"):
        contenders["bubblewrap"] = lambda: run(ProcessSpec(BUBBLEWRAP, env=ENV, directory=folder))
    return contenders


def first_program(folder: str) -> float:
    """Return the time of the first program of a confined policy."""
    policy = Policy(confine=Confinement(write=[folder]))
    return milliseconds(lambda: run(ProcessSpec([TRUE], env=ENV, policy=policy)))


def report_confinement(rounds: int) -> None:
    with TemporaryDirectory() as folder:
        times = measure_rounds(program_contenders(folder), rounds)
        for name, values in times.items():
            print(f"confine  {name:16} {statistics.median(values):7.3f} {min(values):7.3f} ms")
        for pair in (("confined", "free"), ("shell, confined", "shell, free")):
            added = [one - other for one, other in zip(*(times[x] for x in pair), strict=True)]
            middle = statistics.median(added)
            verdict = "ok" if middle <= MAX_ADDED_MILLISECONDS else "too much"
            print(f"confine  {pair[0]:16} adds {middle:.3f} ms: {verdict}")
        first = statistics.median(first_program(folder) for _ in range(FIRST_ROUNDS))
        print(f"confine  first            {first:7.3f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=300)
    arguments = parser.parse_args()
    report_confinement(arguments.rounds)


if __name__ == "__main__":
    main()
