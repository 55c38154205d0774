"""Strays: processes that have left their parents, found by a tag in their environment."""

from __future__ import annotations

from signal import SIGKILL, SIGTERM
from time import monotonic, sleep

from keysh.process.kill import signal_one
from keysh.process.tree import Tree

NOBODY = -1  # the number of no process, from which nothing descends
PATIENCE = 5.0  # seconds after SIGKILL; what is alive then cannot be killed
LOOK = 0.005  # seconds between two looks at the table


def end_tagged(tag: str, grace: float) -> list[int]:
    """End whoever has a tag, by SIGTERM and after so many seconds by SIGKILL; who cannot be ended.

    It waits until nobody is left. Where there is no grace, nobody is asked before.
    """
    tree = Tree(NOBODY, tag)
    asked: set[int] = set()
    kill_at = monotonic() + grace
    while rows := tree.members():
        now = monotonic()
        if now >= kill_at + PATIENCE:
            return sorted(row.pid for row in rows)
        for row in rows:
            if now >= kill_at:
                signal_one(row, SIGKILL)
            elif row.pid not in asked:
                signal_one(row, SIGTERM)
                asked.add(row.pid)
        sleep(LOOK)
    return []
