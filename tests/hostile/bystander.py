"""A bare interpreter beside the process of scripts, which tells what the machine itself holds up.

    python -S bystander.py FILE PID        adds a row to FILE every 5 ms, as long as PID lives

A row is a moment: the time; for how long the threads of PID have run, and have waited for a
processor that others had; and for how long this process was stopped, though it did not wait for a
processor, as a machine is stopped that is not real.
"""

from __future__ import annotations

import itertools
import mmap
import os
import struct
import sys
import time

PAUSE_SECONDS = 0.005
ROWS = 1 << 13  # forty seconds; older ones are overwritten
HEAD, ROW = struct.Struct("q"), struct.Struct("4d")
FILE_BYTES = HEAD.size + ROWS * ROW.size


def scheduled_seconds(path: str) -> tuple[float, float]:
    """Return for how long a thread has run, and has waited to run."""
    with open(path, "rb") as file:
        ran, waited = file.read().split()[:2]
    return int(ran) / 1e9, int(waited) / 1e9


class Threads:
    """For how long the threads of a process have run, and have waited to run."""

    def __init__(self, pid: int) -> None:
        self._folder = f"/proc/{pid}/task"
        self._last: dict[str, tuple[float, float]] = {}
        self.ran = self.waited = 0.0

    def look(self) -> None:
        """Add what has passed since the last look; raise OSError if the process is gone."""
        now = {}
        for name in os.listdir(self._folder):
            try:
                now[name] = ran, waited = scheduled_seconds(f"{self._folder}/{name}/schedstat")
            except OSError:  # it has just ended
                continue
            ran_before, waited_before = self._last.get(name, (0.0, 0.0))
            self.ran += ran - ran_before
            self.waited += waited - waited_before
        self._last = now


def write_row(rows: mmap.mmap, number: int, row: tuple[float, ...]) -> None:
    """Write a row, and then how many there are."""
    ROW.pack_into(rows, HEAD.size + number % ROWS * ROW.size, *row)
    HEAD.pack_into(rows, 0, number + 1)


def observe(path: str, pid: int) -> None:
    """Write rows until the process is gone."""
    own, threads = "/proc/self/schedstat", Threads(pid)
    with open(path, "r+b") as file:
        rows = mmap.mmap(file.fileno(), FILE_BYTES)
    number, stopped, last, own_last = 0, 0.0, time.monotonic(), sum(scheduled_seconds(own))
    while True:
        time.sleep(PAUSE_SECONDS)
        now, own_now = time.monotonic(), sum(scheduled_seconds(own))
        stopped += max(0.0, now - last - PAUSE_SECONDS - (own_now - own_last))
        last, own_last = now, own_now
        try:
            threads.look()
        except OSError:
            return
        write_row(rows, number, (now, threads.ran, threads.waited, stopped))
        number += 1


class Moments:
    """The rows of a bystander, as the process beside it reads them."""

    def __init__(self, path: str) -> None:
        with open(path, "r+b") as file:
            self.rows = mmap.mmap(file.fileno(), FILE_BYTES)

    def held_up(self, start: float, end: float) -> float:
        """Return for how long, between two times, the machine let the process wait.

        No thread of it ran then, and one waited to run, or the whole machine stood still.
        """
        time.sleep(2 * PAUSE_SECONDS)  # the row after the end
        (number,) = HEAD.unpack_from(self.rows)
        found = sorted(
            ROW.unpack_from(self.rows, HEAD.size + i % ROWS * ROW.size)
            for i in range(max(0, number + 1 - ROWS), number)
        )
        held = 0.0
        for (before, ran, waited, stopped), row in itertools.pairwise(found):
            now, ran_now, waited_now, stopped_now = row
            within = min(now, end) - max(before, start)
            if within > 0:
                idle = max(0.0, now - before - (ran_now - ran))
                queued = min(idle, waited_now - waited)
                held += min(within, queued + min(idle - queued, stopped_now - stopped))
        return held


if __name__ == "__main__":
    observe(sys.argv[1], int(sys.argv[2]))
