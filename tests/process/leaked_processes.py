"""Count and end what tests may leave behind."""

from __future__ import annotations

import os
import select
import signal
import threading
from collections import Counter
from contextlib import suppress

# asyncio waits for each child in a thread of this name, which ends only after it has reported the
# status: a coroutine that has awaited it, and its loop, may be done before.
CHILD_WATCHER = "waitpid-"
LONGEST_WAIT = 10


def process_resources() -> Counter[object]:
    """Count this program's descriptors, threads and children; subtract an earlier count.

    Missing ones are ignored: the collector may close what an earlier test has dropped.
    """
    for thread in threads():
        if thread.name.startswith(CHILD_WATCHER):
            thread.join(LONGEST_WAIT)
    return Counter([*descriptors().elements(), *threads(), *children()])


def descriptors() -> Counter[str]:
    """Count the open files of this program."""
    result: Counter[str] = Counter()
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):  # that of the listing itself
            result[os.readlink(f"/proc/self/fd/{number}")] += 1
    return result


def children() -> list[str]:
    """Return the children of this program, including zombies."""
    result = []
    for thread in os.listdir("/proc/self/task"):
        # A thread that has just ended has no children.
        with suppress(FileNotFoundError), open(f"/proc/self/task/{thread}/children") as file:
            result += file.read().split()
    return result


def marked_processes(mark: str) -> list[int]:
    """Return the processes with the mark in their environment."""
    result = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
                if mark.encode() in file.read():
                    result.append(int(name))
    return result


def kill_marked(mark: str) -> int:
    """Kill the processes with the mark, wait for their end, and return their number."""
    count = 0
    while result := marked_processes(mark):
        count += len(result)
        for pid in result:
            with suppress(ProcessLookupError):
                held = os.pidfd_open(pid)
                try:
                    signal.pidfd_send_signal(held, signal.SIGKILL)
                    select.select([held], [], [])
                finally:
                    os.close(held)
    return count


def threads() -> list[threading.Thread]:
    """Return the running threads, without the dummies of foreign threads that have ended."""
    return [
        thread for thread in threading.enumerate() if not type(thread).__name__.startswith("_Dummy")
    ]
