"""A user at a terminal: types keys into the program, and waits for what the screen shows.

The program and the terminal run at their own speed, so a test never looks at the screen at a moment
of its choice: it waits for a condition. A condition counts only between two frames, because half a
frame can look like a finished screen: the editor hides the cursor while it draws one, also when the
bytes of the frame arrive in several pieces. (Reading one byte at a time shows whether a test relies
on luck: set `READ_BYTES` to 1.)
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import pexpect
import pyte

PROMPT = "ready>"
READ_BYTES = 1 << 16
TURN_SECONDS = 0.05  # to wait for output before looking again
# Turns without output until a test fails. A turn counts in full only if the program sleeps: on a
# busy machine it waits for a processor, which is no reason to fail.
MAX_IDLE_TURNS = 600
RUNNING_TURN = 0.1

ENTER, TAB, ESCAPE = "\r", "\t", "\x1b"
UP, RIGHT = "\x1b[A", "\x1b[C"
CTRL = {letter: chr(ord(letter) - 64) for letter in "CDELRUXZ"}


class Person:
    """One session at a terminal with a number of columns and rows."""

    def __init__(
        self, home: Path, *arguments: str, columns: int = 80, rows: int = 24, **env: str
    ) -> None:
        home.mkdir(exist_ok=True)
        self.home = home
        settings = {
            "HOME": str(home), "PATH": os.environ["PATH"], "TERM": "linux", "LANG": "C.UTF-8",
            "PS1": f"{PROMPT} ", **env,
        }  # fmt: skip
        self.process = pexpect.spawn(
            sys.executable, ["-m", "keysh", *arguments], env=settings, cwd=str(home),
            dimensions=(rows, columns),
        )  # fmt: skip
        self.process.delaybeforesend = None
        self.process.delayafterclose = self.process.delayafterterminate = 0.01
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._has_ended = False

    def __enter__(self) -> Person:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the terminal and end the program, by SIGKILL if nothing else helps."""
        try:
            self.process.close(force=True)
        except pexpect.ExceptionPexpect:
            self.process.wait()  # pexpect has killed it, but waits no longer than its delay

    # ------------------------------------------------------------ seeing

    @property
    def screen(self) -> str:
        """The screen as text, without trailing blanks."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def line(self) -> str:
        """The line of the cursor."""
        return self._screen.display[self._screen.cursor.y].rstrip()

    @property
    def written(self) -> str:
        """All lines down to the cursor's, joined into one."""
        return "".join(self._screen.display[: self._screen.cursor.y + 1]).rstrip()

    def style(self, text: str) -> tuple[str, bool]:
        """Return the color of the last place that shows a text, and whether it is underlined."""
        for row in reversed(range(self._screen.lines)):
            at = self._screen.display[row].rfind(text)
            if at >= 0:
                cell = self._screen.buffer[row][at]
                return cell.fg, cell.underscore
        raise AssertionError(f"{text!r} is not on the screen:\n{self.screen}")

    def waits(self, is_there: Callable[[], bool], what: str, *, hides_cursor: bool = False) -> None:
        """Wait until a condition holds between two frames.

        `hides_cursor` is for a program that always does, so that frames cannot be told apart.
        """
        idle = 0.0
        while not ((hides_cursor or not self._screen.cursor.hidden) and is_there()):
            assert not self._has_ended, f"the program ended before {what} came:\n{self.screen}"
            assert idle < MAX_IDLE_TURNS, f"{what} never came:\n{self.screen}"
            try:
                self._stream.feed(self.process.read_nonblocking(READ_BYTES, TURN_SECONDS))
            except pexpect.TIMEOUT:
                idle += RUNNING_TURN if is_runnable(self.process.pid) else 1
            except pexpect.EOF:
                self._has_ended = True

    def sees(self, text: str, *, hides_cursor: bool = False) -> None:
        """Wait until the screen shows a text."""
        self.waits(lambda: text in f"{self.screen}\n", repr(text), hides_cursor=hides_cursor)

    def sees_style(self, text: str, color: str, *, is_underlined: bool = False) -> None:
        """Wait until the last place that shows a text has a style."""
        wanted = (color, is_underlined)
        self.waits(lambda: self.style(text) == wanted, f"{text!r} in {wanted}")

    def sees_prompt(self, prompt: str = PROMPT) -> None:
        """Wait until the cursor is at an empty prompt."""
        self.waits(lambda: self.line == prompt, "the prompt")

    def sees_line(self, text: str) -> None:
        """Wait until the line of the cursor starts with a text."""
        self.waits(lambda: self.line.startswith(text), repr(text))

    # ------------------------------------------------------------ doing

    def types(self, keys: str) -> None:
        """Press keys."""
        self.process.send(keys)

    def writes(self, text: str) -> None:
        """Type a text, and wait until it is before the cursor, on one or several lines."""
        self.types(text)
        self.waits(lambda: self.written.endswith(text.rstrip()), repr(text))

    def runs(self, text: str, prompt: str = PROMPT) -> None:
        """Type a command, run it, and wait for the next prompt."""
        self.writes(text)
        self.types(ENTER)
        self.sees_prompt(prompt)

    def starts(self, text: str, sign: str = "begun") -> None:
        """Run a program, and wait for the line that says that it now reads the keys."""
        before = self.count_lines(sign)
        self.writes(text)
        self.types(ENTER)
        self.waits(lambda: self.count_lines(sign) > before, "the program's sign")

    def count_lines(self, text: str) -> int:
        """Return the number of lines that start with a text."""
        return sum(line.startswith(text) for line in self._screen.display)

    def resizes(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self._screen.resize(rows, columns)
        self.process.setwinsize(rows, columns)

    def leaves(self) -> int:
        """Press Ctrl-D at the prompt; return the status."""
        self.types(CTRL["D"])
        return self.ends()

    def ends(self) -> int:
        """Wait for the end of the program; return its status."""
        self.waits(lambda: self._has_ended, "the end", hides_cursor=True)
        self.process.close()
        status: int = self.process.exitstatus
        return status


def is_runnable(pid: int) -> bool:
    """Whether a process runs, or waits for a processor or a disk."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state in ("R", "D")
