"""Terminal: what the prompt reads from and writes to, and what Ctrl-C means there."""

from __future__ import annotations

import os
import select
import signal
import termios
from contextlib import suppress
from io import FileIO

from keysh.external.job_control import Foreground
from keysh.interp.run.control_flow import ControlFlow, LimitReached
from keysh.interp.run.limits import Cancel
from keysh.interp.streams.open_files import FileReader
from keysh.repl.screen import Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

CANCELLED = 130
WIDTH = 80  # columns, where nothing tells
DUMB = ("", "dumb", "unknown", "cons25")  # terminals that an editor cannot draw on

# What a shell at a terminal does not die or stop of. They have handlers that do nothing and are not
# ignored, for programs would inherit that.
SURVIVED = ("SIGTSTP", "SIGQUIT", "SIGTERM")


class Terminal:
    """The three open files of the program, where the first is a terminal."""

    __slots__ = (
        "_modes", "_wake", "_waker", "above", "cancel", "err", "foreground", "input", "is_reading",
        "out",
    )  # fmt: skip

    def __init__(self) -> None:
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._waker, False)
        self.cancel: Cancel | None = None  # of the script that runs
        self.is_reading = False  # a line, without an editor that would take Ctrl-C as a key
        # While a line is written: shows what others print above it, if it can.
        self.above: Callable[[str], bool] | None = None
        self.input = FileReader(Keys(self._wake))
        self.out, self.err = Screen(1, self), Screen(2, self)
        self._modes = modes()
        self.foreground = Foreground(0) if is_leader() else None

    @property
    def is_fit(self) -> bool:
        """Whether an editor can draw here."""
        return os.isatty(0) and os.isatty(1) and os.environ.get("TERM", "") not in DUMB

    @property
    def width(self) -> int:
        """The columns."""
        try:
            return os.get_terminal_size(1).columns or WIDTH
        except OSError:
            return WIDTH

    def listen(self) -> None:
        """Take over the signals that keys send."""
        signal.signal(signal.SIGINT, self._interrupted)
        signal.signal(signal.SIGHUP, gone)
        for name in SURVIVED:
            signal.signal(getattr(signal, name), unmoved)
        if self.foreground is not None:
            signal.signal(signal.SIGCHLD, self.foreground.on_change)
            signal.signal(signal.SIGALRM, self.foreground.on_time)

    def begin(self) -> Cancel:
        """A script begins: what Ctrl-C cancels."""
        self.drain()
        self.cancel = Cancel()
        if self.foreground is not None:
            self.foreground.cancel = self.cancel
        return self.cancel

    def end(self) -> None:
        """It has ended, and whatever it ran: the terminal is as it was before."""
        self.out.end()
        self.cancel = None
        if self.foreground is not None:
            self.foreground.cancel = None
            for job in self.foreground.settle():
                self.complain(f"\n[{job.number}]+  {job.state:<23} {job.text}\n")
        if self._modes is not None:
            try:
                termios.tcsetattr(0, termios.TCSADRAIN, self._modes)
            except termios.error:
                self._modes = None  # it has gone

    def drain(self) -> None:
        """Forget what has been interrupted before."""
        while select.select([self._wake], [], [], 0)[0]:
            os.read(self._wake, 64)

    def complain(self, text: str) -> None:
        """Print a message; where that fails there is nobody to tell."""
        with suppress(OSError, ControlFlow):
            self.err.write(text)

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.is_reading:
            raise KeyboardInterrupt
        if self.cancel is None:
            return  # between two lines there is nothing to interrupt
        self.cancel.cancel()
        with suppress(BlockingIOError):  # it is awake then
            os.write(self._waker, b"!")


class Keys(FileIO):
    """Standard input. A read that waits for a key ends when the script is interrupted."""

    def __init__(self, wake: int) -> None:
        super().__init__(0, "rb", closefd=False)
        self._wake = wake

    def read(self, size: int | None = -1) -> bytes:
        """What there is; nothing at the end, which Ctrl-D makes."""
        found, _, _ = select.select([0, self._wake], [], [])
        if self._wake in found:
            raise LimitReached("cancelled", None, None, CANCELLED)
        return super().read(size) or b""


def modes() -> Any:
    """How the terminal treats keys; None without one."""
    try:
        return termios.tcgetattr(0)
    except termios.error:
        return None


def is_leader() -> bool:
    """Whether the shell has the terminal, and so may give it to others."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False


def gone(number: int, frame: FrameType | None) -> None:
    """The terminal has been closed."""
    raise SystemExit(128 + number)


def unmoved(number: int, frame: FrameType | None) -> None:
    """What a signal does that is to do nothing."""
