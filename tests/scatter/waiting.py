"""Waits for what other processes do."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

LOOK_SECONDS = 0.02


def wait_for_lines(path: Path, number: int) -> None:
    """Wait until a file has so many lines."""
    wait_until(lambda: path.exists() and path.read_text().count("\n") >= number)


def wait_for_end(pid: int) -> None:
    """Wait until a process is gone."""
    wait_until(lambda: not Path(f"/proc/{pid}").exists())


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait until something is so."""
    while not is_so():
        threading.Event().wait(LOOK_SECONDS)
