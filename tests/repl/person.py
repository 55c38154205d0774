"""A person at a terminal: types keys into the program, and waits for what the screen shows."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import TracebackType

import pexpect
import pyte

PROMPT = "ready>"
PATIENCE = 30.0  # seconds until something that never comes fails a test
TURN = 0.05

ENTER, TAB, ESCAPE = "\r", "\t", "\x1b"
UP, RIGHT = "\x1b[A", "\x1b[C"
CTRL = {letter: chr(ord(letter) - 64) for letter in "CDELRUXZ"}


class Person:
    """One session. The screen is what a terminal of so many columns and rows would show."""

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
            dimensions=(rows, columns), timeout=PATIENCE,
        )  # fmt: skip
        self.process.delaybeforesend = None
        self.process.delayafterclose = self.process.delayafterterminate = 0.01
        self._screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self._screen)

    def __enter__(self) -> Person:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.process.close(force=True)

    # ------------------------------------------------------------ seeing

    @property
    def screen(self) -> str:
        """What is shown, without the blanks at the ends of lines."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    @property
    def line(self) -> str:
        """The line that the cursor is in."""
        return self._screen.display[self._screen.cursor.y].rstrip()

    @property
    def written(self) -> str:
        """All down to the line that the cursor is in, as one line."""
        return "".join(self._screen.display[: self._screen.cursor.y + 1]).rstrip()

    def style(self, text: str) -> tuple[str, bool]:
        """The colour of the last place that shows a text, and whether it is underlined."""
        for row in reversed(range(self._screen.lines)):
            at = self._screen.display[row].rfind(text)
            if at >= 0:
                cell = self._screen.buffer[row][at]
                return cell.fg, cell.underscore
        raise AssertionError(f"{text!r} is not on the screen:\n{self.screen}")

    def waits(self, is_there: Callable[[], bool], what: str) -> None:
        """Wait until something is so."""
        end = monotonic() + PATIENCE
        while not is_there():
            assert monotonic() < end, f"{what} never came:\n{self.screen}"
            try:
                self._stream.feed(self.process.read_nonblocking(1 << 16, TURN))
            except pexpect.TIMEOUT:
                pass
            except pexpect.EOF:
                assert is_there(), f"the program has ended before {what} came:\n{self.screen}"

    def sees(self, text: str) -> None:
        """Wait until the screen shows a text."""
        self.waits(lambda: text in f"{self.screen}\n", repr(text))

    def sees_prompt(self, prompt: str = PROMPT) -> None:
        """Wait until a line can be written."""
        self.waits(lambda: self.line == prompt, "the prompt")

    def sees_line(self, text: str) -> None:
        """Wait until the line that the cursor is in begins with a text."""
        self.waits(lambda: self.line.startswith(text), repr(text))

    # ------------------------------------------------------------ doing

    def types(self, keys: str) -> None:
        """Press keys."""
        self.process.send(keys)

    def writes(self, text: str) -> None:
        """Type a text and see it before the cursor, on as many lines as it takes."""
        self.types(text)
        self.waits(lambda: self.written.endswith(text.rstrip()), repr(text))

    def runs(self, text: str, prompt: str = PROMPT) -> None:
        """Type a command, run it, and wait for the next prompt."""
        self.writes(text)
        self.types(ENTER)
        self.sees_prompt(prompt)

    def starts(self, text: str, sign: str = "begun") -> None:
        """Run a program, and wait for the line by which it shows that it reads the keys now."""
        before = self.shown(sign)
        self.writes(text)
        self.types(ENTER)
        self.waits(lambda: self.shown(sign) > before, "the program's sign")

    def shown(self, text: str) -> int:
        """How many lines begin with a text."""
        return sum(line.startswith(text) for line in self._screen.display)

    def resizes(self, columns: int, rows: int) -> None:
        """Change the size of the window."""
        self._screen.resize(rows, columns)
        self.process.setwinsize(rows, columns)

    def leaves(self) -> int:
        """Press Ctrl-D at the prompt; the status."""
        self.types(CTRL["D"])
        return self.ends()

    def ends(self) -> int:
        """Wait for the end of the program; its status."""
        self.process.expect(pexpect.EOF)
        self.process.close()
        status: int = self.process.exitstatus
        return status
