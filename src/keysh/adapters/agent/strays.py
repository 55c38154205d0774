"""Strays: processes that have left their parents, found by a mark in their environment."""

from __future__ import annotations

import os
import signal
from time import monotonic, sleep

from keysh.process.environment import TAG
from keysh.process.kill import signal_one
from keysh.process.tree import Tree

GRACE, PATIENCE = 0.5, 5.0  # seconds for SIGTERM to be heeded, and after SIGKILL
LOOK = 0.01  # seconds between two looks at the table
NOBODY = -1  # the number of no process, from which nothing descends


class Mark:
    """What all that a session starts has in its environment, unless that is cleared."""

    __slots__ = ("_text",)

    def __init__(self) -> None:
        self._text = os.urandom(8).hex()

    @property
    def variables(self) -> dict[str, str]:
        """What to add to the environment."""
        return {TAG: self._text}

    def end(self) -> None:
        """End whoever has it, and wait until nobody has."""
        tree = Tree(NOBODY, self._text)
        asked: set[int] = set()
        kill_at = monotonic() + GRACE
        while (rows := tree.members()) and monotonic() < kill_at + PATIENCE:
            is_over = monotonic() >= kill_at
            for row in rows:
                if is_over or row.pid not in asked:
                    signal_one(row, signal.SIGKILL if is_over else signal.SIGTERM)
                    asked.add(row.pid)
            sleep(LOOK)
