"""Waits for what other processes do."""

from __future__ import annotations

import threading
from pathlib import Path

LOOK_SECONDS = 0.02


def wait_for_lines(path: Path, number: int) -> None:
    """Wait until a file has so many lines."""
    while not path.exists() or path.read_text().count("\n") < number:
        threading.Event().wait(LOOK_SECONDS)


def wait_for_end(pid: int) -> None:
    """Wait until a process is gone."""
    while Path(f"/proc/{pid}").exists():
        threading.Event().wait(LOOK_SECONDS)
