"""The terminal of the prompt: its input and output, its signals, and Ctrl-C."""

from __future__ import annotations

import os
import select
import signal
import termios
from contextlib import suppress
from io import FileIO

from keysh.external.job_control import Foreground
from keysh.interp.run.cancel import Cancel
from keysh.interp.run.control_flow import ControlFlow, LimitReached
from keysh.interp.streams.open_files import FileReader
from keysh.repl.screen import Screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

CANCELLED_STATUS = 130
DEFAULT_COLUMNS = 80
DUMB_TERMINALS = ("", "dumb", "unknown", "cons25")  # the editor cannot draw on these

# Signals that must not kill or stop a shell at a terminal. Each gets a handler that does nothing:
# programs would inherit an ignored signal.
SURVIVED_SIGNALS = ("SIGTSTP", "SIGQUIT", "SIGTERM")


class Terminal:
    """Standard input, which is a terminal, standard output and standard error."""

    __slots__ = (
        "_saved_modes", "_wake", "_waker", "cancel", "err", "foreground", "input", "is_reading",
        "out", "print_above",
    )  # fmt: skip

    def __init__(self) -> None:
        self._wake, self._waker = os.pipe()
        os.set_blocking(self._waker, False)
        self.cancel: Cancel | None = None  # of the running script
        # Whether a line is read without an editor, which would take Ctrl-C as a key.
        self.is_reading = False
        # While a line is edited: prints text above it, or returns False.
        self.print_above: Callable[[str], bool] | None = None
        self.input = FileReader(KeyboardInput(self._wake))
        self.out, self.err = Screen(1, self), Screen(2, self)
        self._saved_modes = terminal_modes()
        self.foreground = Foreground(0) if is_leader() else None

    @property
    def can_draw(self) -> bool:
        """Whether the editor can draw on this terminal."""
        return os.isatty(0) and os.isatty(1) and os.environ.get("TERM", "") not in DUMB_TERMINALS

    @property
    def width(self) -> int:
        """The number of columns."""
        try:
            return os.get_terminal_size(1).columns or DEFAULT_COLUMNS
        except OSError:
            return DEFAULT_COLUMNS

    def handle_signals(self) -> None:
        """Install handlers for the signals of the terminal."""
        signal.signal(signal.SIGINT, self._on_interrupt)
        signal.signal(signal.SIGHUP, exit_on_hangup)
        for name in SURVIVED_SIGNALS:
            signal.signal(getattr(signal, name), ignore_signal)
        if self.foreground is not None:
            signal.signal(signal.SIGCHLD, self.foreground.on_change)
            signal.signal(signal.SIGALRM, self.foreground.on_time)

    def begin_script(self) -> Cancel:
        """Prepare for a script; return what Ctrl-C will cancel."""
        self.discard_interrupts()
        self.cancel = Cancel()
        if self.foreground is not None:
            self.foreground.cancel = self.cancel
        return self.cancel

    def end_script(self) -> None:
        """Clean up after a script: settle its programs and restore the modes of the terminal."""
        self.out.show_rows()
        self.cancel = None
        if self.foreground is not None:
            self.foreground.cancel = None
            for job in self.foreground.settle():
                self.write_message(f"\n[{job.number}]+  {job.state:<23} {job.text}\n")
        if self._saved_modes is not None:
            try:
                termios.tcsetattr(0, termios.TCSADRAIN, self._saved_modes)
            except termios.error:
                self._saved_modes = None  # the terminal was closed

    def discard_interrupts(self) -> None:
        """Discard earlier interrupts."""
        while select.select([self._wake], [], [], 0)[0]:
            os.read(self._wake, 64)

    def write_message(self, text: str) -> None:
        """Write a message to standard error; ignore a failure, which cannot be reported."""
        with suppress(OSError, ControlFlow):
            self.err.write(text)

    def _on_interrupt(self, number: int, frame: FrameType | None) -> None:
        if self.is_reading:
            raise KeyboardInterrupt
        if self.cancel is None:
            return  # nothing runs between two commands
        self.cancel.cancel()
        with suppress(BlockingIOError):  # the pipe is full: the reader wakes anyway
            os.write(self._waker, b"!")


class KeyboardInput(FileIO):
    """Standard input; an interrupt of the script ends a read that waits for a key."""

    def __init__(self, wake: int) -> None:
        super().__init__(0, "rb", closefd=False)
        self._wake = wake

    def read(self, size: int | None = -1) -> bytes:
        """Read the available input; empty at the end, which Ctrl-D signals."""
        ready, _, _ = select.select([0, self._wake], [], [])
        if self._wake in ready:
            raise LimitReached("cancelled", None, None, CANCELLED_STATUS)
        return super().read(size) or b""


def terminal_modes() -> Any:
    """Return the terminal modes; None if standard input is not a terminal."""
    try:
        return termios.tcgetattr(0)
    except termios.error:
        return None


def is_leader() -> bool:
    """Whether the shell is the foreground group, so that it may hand the terminal to programs."""
    try:
        return os.tcgetpgrp(0) == os.getpgrp()
    except OSError:
        return False


def exit_on_hangup(number: int, frame: FrameType | None) -> None:
    """Exit, because the terminal was closed."""
    raise SystemExit(128 + number)


def ignore_signal(number: int, frame: FrameType | None) -> None:
    """Do nothing."""
