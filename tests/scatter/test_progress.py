"""The line that tells how far a scatter is."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest

from keysh.interp.scatter.progress_line import ProgressLine, is_terminal


class Sink:
    """A stream that might be a terminal."""

    def __init__(self, fd: int) -> None:
        self.fd, self.written = fd, ""

    def write(self, text: str) -> None:
        self.written += text

    def flush(self) -> None:
        """Everything is written."""


class CallWith:
    progress = None

    def __init__(self, out: Any, err: Any) -> None:
        self.out, self.err = out, err


@pytest.mark.parametrize(
    ("total", "done", "failed", "text"),
    [
        (40, 12, 1, "12 of 40 done, 1 failed, 3.0/s, 9 s left"),
        (0, 12, 0, "12 done, 3.0/s"),
        (5000, 4000, 0, "4000 of 5000 done, 1000/s, 1 s left"),
    ],
)
def test_line(total: int, done: int, failed: int, text: str) -> None:
    read, write = os.openpty()
    try:
        progress = ProgressLine(CallWith(Sink(-1), Sink(write)), total)  # type: ignore[arg-type]
        for number in range(done):
            progress.note(failed=number < failed)
        assert progress.text(4.0) == text
    finally:
        os.close(read)
        os.close(write)


def test_what_is_no_terminal_gets_no_line() -> None:
    err = Sink(-1)
    progress = ProgressLine(CallWith(Sink(-1), err), 5)  # type: ignore[arg-type]
    progress.note(failed=True)
    progress.close()
    assert err.written == ""
    assert not is_terminal(err)  # type: ignore[arg-type]


def test_terminal_shows_a_line_that_is_removed() -> None:
    """On a real terminal, with rows that go to a file."""
    read, write = os.openpty()
    script = "scatter sleep 0 0.3 0.3 workers=1 > /dev/null"
    process = subprocess.Popen(
        [sys.executable, "-m", "keysh", "--memory", "-c", script],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=write,
    )  # fmt: skip
    os.close(write)
    shown = b""
    while True:
        try:
            piece = os.read(read, 4096)
        except OSError:  # the other end is closed
            break
        shown += piece
    os.close(read)
    assert process.wait() == 0
    assert b"of 3 done" in shown
    assert shown.endswith(b"\r\x1b[K")
