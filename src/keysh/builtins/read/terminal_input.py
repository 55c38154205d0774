"""Terminal input of `read`: prompt, hidden input, single keys, time limit."""

from __future__ import annotations

from os import isatty
from time import monotonic

from keysh.interp.streams.memory_fifo import FifoReader
from keysh.interp.streams.open_files import FileReader

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.builtin_operations.read_line import PartReader
    from keysh.interp.run.budget import Budget
    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Reader

TERMINAL_POLL_SECONDS = 0.1  # how often a wait checks the run
MAX_LATE_CHARS = 1 << 16  # characters still read after the timeout: the capacity of a pipe
STATUS_TIMED_OUT = 142  # 128 + SIGALRM, as in bash


def has_input(reader: Reader) -> bool:
    """Whether input or end of file is available now."""
    if isinstance(reader, FileReader | FifoReader):
        return reader.is_ready(0)
    reader.push_back(reader.read_part(1))
    return True


class TerminalInput:
    """Reads an open file, which may be a terminal or a FIFO."""

    __slots__ = ("_is_silent", "_prompt", "_seconds", "_takes_keys")

    def __init__(
        self, prompt: str, seconds: float | None, *, is_silent: bool, takes_keys: bool
    ) -> None:
        self._prompt, self._seconds = prompt, seconds
        self._is_silent, self._takes_keys = is_silent, takes_keys

    def read(
        self, state: State, reader: Reader, take: Callable[[PartReader], tuple[str, bool]]
    ) -> tuple[str, int]:
        """Return the text that `take` reads, and the status."""
        timed = None
        if self._seconds is not None and isinstance(reader, FileReader | FifoReader):
            timed = TimedReader(reader, self._seconds, state.budget)
        text, is_whole = self._read_terminal(state, reader, lambda: take(timed or reader))
        if is_whole:
            return text, 0
        return text, STATUS_TIMED_OUT if timed is not None and timed.is_over else 1

    def _read_terminal(
        self, state: State, reader: Reader, take: Callable[[], tuple[str, bool]]
    ) -> tuple[str, bool]:
        """Call `take`, with the terminal first set to hide input or to deliver single keys."""
        if not isatty(reader.fd):
            return take()
        if not (self._is_silent or self._takes_keys):
            self._ask(state)
            return take()
        # Prompt only after echo is off: an answer may come at once.
        with TerminalModes(reader.fd, is_silent=self._is_silent, takes_keys=self._takes_keys):
            self._ask(state)
            return take()

    def _ask(self, state: State) -> None:
        if self._prompt:
            state.out.flush()
            state.err.write(self._prompt)
            state.err.flush()


class TerminalModes:
    """Turns off echo or line buffering of a terminal for a while."""

    __slots__ = ("_before", "_fd", "_is_silent", "_takes_keys")

    def __init__(self, fd: int, *, is_silent: bool, takes_keys: bool) -> None:
        self._fd, self._is_silent, self._takes_keys = fd, is_silent, takes_keys

    def __enter__(self) -> None:
        import termios  # noqa: PLC0415 - only where a terminal is read

        self._before = termios.tcgetattr(self._fd)
        modes = termios.tcgetattr(self._fd)
        if self._is_silent:
            modes[3] &= ~termios.ECHO
        if self._takes_keys:
            modes[3] &= ~termios.ICANON
            modes[6][termios.VMIN], modes[6][termios.VTIME] = 1, 0
        termios.tcsetattr(self._fd, termios.TCSANOW, modes)

    def __exit__(self, *exception: object) -> None:
        import termios  # noqa: PLC0415 - only where a terminal is read

        termios.tcsetattr(self._fd, termios.TCSANOW, self._before)


class TimedReader:
    """A reader that reports end of file after a time limit.

    Input that has arrived by then can still be read, but not an endless stream.
    """

    __slots__ = ("_budget", "_end", "_late", "_reader", "is_over")

    def __init__(self, reader: FileReader | FifoReader, seconds: float, budget: Budget) -> None:
        self._reader, self._budget = reader, budget
        self._end = monotonic() + seconds
        self._late = 0  # characters read after the limit
        self.is_over = False

    def read_part(self, max_chars: int, terminator: str = "") -> str:
        """Return at most `max_chars` characters, read one by one because each may take a while."""
        pieces: list[str] = []
        while len(pieces) < max_chars and self._is_ready():
            char = self._reader.read_part(1)
            pieces.append(char)
            if not char or char == terminator:
                break
        return "".join(pieces)

    def _is_ready(self) -> bool:
        """Wait for input; return False once the time is over."""
        while True:
            self._budget.check()
            remaining = max(0.0, self._end - monotonic())
            self._late += not remaining
            if self._late <= MAX_LATE_CHARS and self._reader.is_ready(
                min(remaining, TERMINAL_POLL_SECONDS)
            ):
                return True
            if not remaining:
                self.is_over = True
                return False
