"""A process that keeps swapping a directory and a link to another one.

    python symlink_race.py FOLDER

In FOLDER, `victim` (a directory) and `decoy` (a link) take turns at the name `victim`. Ended by
SIGTERM it prints how often; it also ends when its parent has gone.
"""

from __future__ import annotations

import os
import signal
import sys

PARKED = "parked"


def linger(turn: int) -> None:
    """Wait for a varying time; otherwise the two processes would run in step."""
    for _ in range(turn % 1009):
        pass


def main(folder: str) -> None:
    os.chdir(folder)
    parent = os.getppid()
    running = True

    def stop(*_: object) -> None:
        nonlocal running
        running = False

    signal.signal(signal.SIGTERM, stop)
    print("ready", flush=True)
    swaps = 0
    while running and os.getppid() == parent:
        os.rename("victim", PARKED)
        os.rename("decoy", "victim")
        linger(swaps)
        os.rename("victim", "decoy")
        os.rename(PARKED, "victim")
        linger(swaps)
        swaps += 1
    print(swaps)


if __name__ == "__main__":
    main(sys.argv[1])
