"""Kill ten kinds of process trees many times: survivors, next commands run, late bytes, overshoot.

    python benchmarks/kills.py [--kills 2000] [--progress]

Each tree would make a file if one of its shells went on to its next command. Trees are ended by
timeouts of 20 to 500 ms, by cancelling, and in a materialised directory, where nothing that is
written late may be copied back. The exit status is 1 if any of the three counts is not 0.

A busy machine wakes everybody late. So a bare thread sleeps as long as each timeout, in the same
run: what it oversleeps is the scheduler's part. Cancelling is measured from the flag to the result.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
import uuid
from pathlib import Path
from time import monotonic, sleep

import keysh
from keysh.process import Flag, ProcessSpec, run

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from process.hard_trees import TREES, tree_script  # type: ignore[import-not-found]
from process.leaked_processes import kill_marked  # type: ignore[import-not-found]

PATH = "/usr/bin:/bin"
TIMEOUTS_MS = (20, 50, 100, 200, 500)
GRACE_MS = 100
# Trees that ignore SIGTERM or answer it have their grace; the others end within a few milliseconds.
WITH_GRACE = {"TERM ignored", "respawner"}
CROWD = "200 children"  # whose end alone takes the kernel 10 to 20 ms
MAX_LATE_MS = 20  # more is counted in the report
PARTS = (("p50", 50), ("p99", 99))
PROGRESS_KILLS = 100  # between two reports of --progress


class Counts:
    """What went wrong, and by how many milliseconds kills were late."""

    def __init__(self) -> None:
        self.kills = self.survivors = self.next_commands = self.late_copies = 0
        self.overslept_ms: list[float] = []  # by bare threads
        self.timeouts_ms: list[float] = []
        self.crowds_ms: list[float] = []
        self.cancels_ms: list[float] = []

    def report(self) -> None:
        print(
            f"{self.kills} kills: {self.survivors} survivors, "
            f"{self.next_commands} next commands, {self.late_copies} late copies"
        )
        print_delays("timeouts were late by", self.timeouts_ms)
        print_delays(f"those of {CROWD}", self.crowds_ms)
        print_delays("sleeping threads were late by", self.overslept_ms)
        print_delays("cancelling took", self.cancels_ms)


def print_delays(title: str, delays: list[float]) -> None:
    if not delays:
        return
    ordered = sorted(delays)
    parts = [f"{name} {ordered[len(ordered) * part // 100]:.1f}" for name, part in PARTS]
    over = sum(delay > MAX_LATE_MS for delay in delays)
    print(
        f"{title} (ms): {', '.join(parts)}, max {ordered[-1]:.1f}; "
        f"{over} of {len(delays)} over {MAX_LATE_MS}",
        flush=True,
    )


class Sleeper(threading.Thread):
    """A thread that does nothing but sleep."""

    def __init__(self, milliseconds: float) -> None:
        super().__init__()
        self._milliseconds = milliseconds
        self.late_ms = 0.0

    def run(self) -> None:
        began = monotonic()
        sleep(self._milliseconds / 1000)
        self.late_ms = (monotonic() - began) * 1000 - self._milliseconds


def end_by_timeout(
    argv: list[str], env: dict[str, str], milliseconds: float
) -> tuple[float, float]:
    """Return how late the kill was, and how late a thread that slept beside it."""
    sleeper = Sleeper(milliseconds)
    sleeper.start()
    began = monotonic()
    result = run(ProcessSpec(argv, env=env, timeout=milliseconds, grace=GRACE_MS))
    late = (monotonic() - began) * 1000 - milliseconds
    assert result.code == 124, result
    sleeper.join()
    return late, sleeper.late_ms


def end_by_cancel(argv: list[str], env: dict[str, str]) -> float:
    """Return the time from the cancelling thread's call to the result."""
    began = 0.0

    def cancel() -> None:
        nonlocal began
        began = monotonic()
        flag.set()

    with Flag() as flag:
        timer = threading.Timer(0.05, cancel)
        timer.start()
        result = run(ProcessSpec(argv, env=env, grace=GRACE_MS), cancel=flag.fd)
        took = (monotonic() - began) * 1000
        assert result.code == 130, result
        timer.join()
    return took


def late_copy(script: str, env: dict[str, str]) -> bool:
    """Whether a tree that is killed in a materialised directory leaves its next file there."""
    policy = keysh.Policy(materialize=True)
    with keysh.Shell(
        files={"/p/a": "1"}, cwd="/p", env={**env, "S": script}, external=policy
    ) as sh:
        sh.run('/bin/sh -c "$S"', timeout=0.05)
        return any(entry.name == "next" for entry in sh.fs.list("/p"))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--kills", type=int, default=2000)
    parser.add_argument("--progress", action="store_true")
    options = parser.parse_args()
    counts = Counts()
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "next")
        turn = 0
        while counts.kills < options.kills:
            name = list(TREES)[turn % len(TREES)]
            way = turn // len(TREES) % (len(TIMEOUTS_MS) + 2)
            turn += 1
            mark = uuid.uuid4().hex
            env = {"PATH": PATH, "KEYSH_TEST": mark}
            argv = ["sh", "-c", tree_script(name, file)]
            if way < len(TIMEOUTS_MS):
                late, overslept = end_by_timeout(argv, env, TIMEOUTS_MS[way])
                counts.overslept_ms.append(overslept)
                if name not in WITH_GRACE:
                    (counts.crowds_ms if name == CROWD else counts.timeouts_ms).append(late)
            elif way == len(TIMEOUTS_MS):
                took = end_by_cancel(argv, env)
                if name not in WITH_GRACE:
                    counts.cancels_ms.append(took)
            else:
                counts.late_copies += late_copy(tree_script(name, "next"), env)
            counts.kills += 1
            counts.survivors += kill_marked(mark)
            if os.path.exists(file):
                counts.next_commands += 1
                os.unlink(file)
            if options.progress and not counts.kills % PROGRESS_KILLS:
                counts.report()
    counts.report()
    return 1 if counts.survivors or counts.next_commands or counts.late_copies else 0


if __name__ == "__main__":
    sys.exit(main())
