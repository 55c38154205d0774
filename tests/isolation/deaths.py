"""Kill workers in five ways at random moments, and see that nothing but their run is lost.

    python -m tests.isolation.deaths [--deaths 1000] [--seed 1] [--kinds KIND …]

Each round counts up a variable and a file in a session, and then a worker dies: by SIGKILL or
SIGSEGV at a random moment of a run, of memory, or of processor time; or while the host runs
programs for it, which must end with it. The session must go on as it was before that run. At the
end no process, descriptor or thread may be left.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import keysh

MEMORY_BYTES = 160 << 20
KINDS = ("SIGKILL", "SIGSEGV", "memory", "cpu", "programs")
LONG_SLEEP = f"98765.{os.getpid()}"  # no other program has this argument
LONG_SCRIPT = "n=lost; echo lost > /n; i=0; while ((i < 3000000)); do ((i += 1)); done"


class Count:
    """What is left where nothing should be."""

    def __init__(self) -> None:
        self.threads = threading.active_count()
        self.descriptors = len(os.listdir("/proc/self/fd"))
        self.children = children()

    def is_within(self, before: Count) -> bool:
        """Whether there is no more than before; the collector may close what is older."""
        return (
            self.threads <= before.threads
            and self.descriptors <= before.descriptors
            and {*self.children} <= {*before.children}
        )

    def __repr__(self) -> str:
        return str(vars(self))


def children() -> list[int]:
    """Return the processes that this one has started."""
    return sorted(
        int(pid)
        for task in os.listdir("/proc/self/task")
        for pid in Path(f"/proc/self/task/{task}/children").read_text().split()
    )


def programs_left() -> list[str]:
    """Return the programs of a session that are still alive."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            words = path.read_bytes().split(b"\0")
            if LONG_SLEEP.encode() in words:
                found.append(f"{path.parent.name}: {words}")
    return found


def pid_of_worker(pool: Any) -> int:
    """Return the number of a worker's process."""
    return int(next(iter(pool._alive)).process_id)


def die(pool: Any, session: Any, kind: str, randomness: random.Random) -> Any:
    """Let the worker of a session die during a run; return the run's result."""
    if kind == "memory":
        # The shell's own limit is off, so that the kernel's is reached.
        return session.run("x=aaaaaaaaaaaaaaaa; while true; do x=$x$x; done")
    if kind == "cpu":
        return session.run("n=lost; echo lost > /n; while true; do :; done")  # the pool allows 1 s
    if kind == "programs":  # the host runs them, and ends them with the worker
        sleep = f"/bin/sleep {LONG_SLEEP} &"
        job = session.start(
            f"n=lost; echo begun; {sleep} yes | /bin/sh -c '{sleep} cat > /dev/null'"
        )
        while not job.output:  # before that it would get another worker, and never end
            time.sleep(0.001)
        kind = "SIGKILL"
    else:
        job = session.start(LONG_SCRIPT)
    time.sleep(randomness.random() ** 3 * 0.1)
    os.kill(pid_of_worker(pool), getattr(signal, kind))
    return job.wait()


def run_deaths(deaths: int, seed: int, kinds: tuple[str, ...] = KINDS) -> list[str]:
    """Let workers die; return what went wrong."""
    randomness, problems = random.Random(seed), []
    before = Count()
    limits = keysh.Limits(memory=None, value=None, session_memory=None, seconds=20)
    with (
        keysh.Pool(1, memory=MEMORY_BYTES, cpu=1) as pool,
        pool.session(limits=limits, external=True) as session,
    ):
        session.run("n=0; echo 0 > /n")
        for number in range(1, deaths + 1):
            kind = randomness.choice(kinds)
            counted = session.run(f"n=$((n + 1)); echo $n > /n; test $n = {number}")
            if not counted.ok:
                problems.append(f"{number}: {kind}: not counted: {counted} {counted.stderr}")
                break
            result = die(pool, session, kind, randomness)
            if result.limit is None or result.limit.kind not in ("worker", "memory", "cpu"):
                if kind in ("SIGKILL", "SIGSEGV") and result.ok:
                    # It was over before: the state is that of its end.
                    session.run(f"n={number}; echo $n > /n")
                    continue
                problems.append(f"{number}: {kind}: {result} {result.stderr[-200:]}")
            if kind == "programs" and (left := programs_left()):
                problems.append(f"{number}: programs are left: {left}")
            seen = session.run("echo $n; cat /n").stdout
            if seen != f"{number}\n{number}\n":
                problems.append(f"{number}: {kind}: the session went on with {seen!r}")
                session.run(f"n={number}; echo $n > /n")
        died = pool.metrics()["died"]
    after = Count()
    if not after.is_within(before):
        problems.append(f"left: {before} became {after}")
    print(f"{deaths} rounds, {died} workers died, {len(problems)} problems", file=sys.stderr)
    return problems


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--deaths", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    options = parser.parse_args()
    problems = run_deaths(options.deaths, options.seed, tuple(options.kinds))
    print(*problems, sep="\n")
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())
