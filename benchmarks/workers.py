"""What a worker process costs: a warm run, a cold start, ten runs, a thousand sessions.

    python benchmarks/workers.py [--rounds N]

Runs in a worker, in this process and in a subprocess of bash take turns in every round; medians in
milliseconds. The status is 1 if a figure is worse than docs/workers.md promises.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import keysh

RUNS = 100
PROGRAMS = 5  # of a round
SESSIONS = 1000
MAX_MORE_MS, MAX_COLD_MS, MAX_TEN_RUNS_MS = 0.15, 60.0, 2.0


def milliseconds(act: Callable[[], object], repeats: int = 1) -> float:
    """Return the time of one call."""
    began = time.perf_counter()
    for _ in range(repeats):
        act()
    return (time.perf_counter() - began) * 1e3 / repeats


def cold_start() -> None:
    """Start a worker and run a script in it."""
    with keysh.Shell(isolated=True) as shell:
        assert shell.run("echo hi").stdout == "hi\n"


def move_sessions() -> float:
    """Return what a run costs whose session comes from an image, in one of two workers."""
    with keysh.Pool(2, warm=2) as pool:
        sessions = [pool.session() for _ in range(SESSIONS)]
        for session in sessions:
            session.run("n=0")
        began = time.perf_counter()
        for session in sessions:
            session.run("n=$((n + 1))")
        return (time.perf_counter() - began) * 1e3 / SESSIONS


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    rows: dict[str, list[float]] = {}
    here = keysh.Shell(external=True)
    rules = keysh.Rules([{"command": "rm", "decision": "deny"}])
    with (
        keysh.Shell(isolated=True) as shell,
        keysh.Shell(isolated=True, external=True) as programs,
        keysh.Shell(isolated=True, rules=rules, audit=lambda record: None) as audited,
    ):
        for one in (shell, here, programs, audited):
            one.run("echo hi")

        def ten_runs() -> None:
            for number in range(10):
                shell.run(f"n={number}")

        for _ in range(rounds):
            for name, act, repeats in (
                ("echo hi, in this process", lambda: here.run("echo hi"), RUNS),
                ("echo hi, in a worker", lambda: shell.run("echo hi"), RUNS),
                ("ten runs of echo hi, in a worker",
                 lambda: [shell.run("echo hi") for _ in range(10)], RUNS // 10),
                ("ten runs that change a variable, each with an image", ten_runs, RUNS // 10),
                ("/bin/true, in this process", lambda: here.run("/bin/true"), PROGRAMS),
                ("/bin/true, for a worker", lambda: programs.run("/bin/true"), PROGRAMS),
                ("echo hi, in a worker with rules and an audit",
                 lambda: audited.run("echo hi"), RUNS // 10),
                ("cold start of a worker with its first run", cold_start, 1),
                ("bash -c 'echo hi', a subprocess",
                 lambda: subprocess.run(["bash", "-c", "echo hi"], capture_output=True, check=True),
                 5),
            ):  # fmt: skip
                rows.setdefault(name, []).append(milliseconds(act, repeats))
    medians = {name: statistics.median(values) for name, values in rows.items()}
    medians[f"a run of one of {SESSIONS:,} sessions over 2 workers, which moves"] = move_sessions()
    for name, median in medians.items():
        print(f"{name:60} {median:8.3f} ms   best {min(rows.get(name, [median])):8.3f}")
    more = medians["echo hi, in a worker"] - medians["echo hi, in this process"]
    print(f"{'more than in this process':60} {more:8.3f} ms")
    is_slow = (
        more > MAX_MORE_MS
        or medians["cold start of a worker with its first run"] > MAX_COLD_MS
        or medians["ten runs of echo hi, in a worker"] > MAX_TEN_RUNS_MS
    )
    return int(is_slow)


if __name__ == "__main__":
    sys.exit(main())
