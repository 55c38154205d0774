"""Sieve: records for which no rule does anything are not even cut.

`awk '/error/ { print $2 }'` passes over most lines. Where a program cannot tell that it was not
shown them, a chunk is looked through as `grep` does it, and only the lines that match are records.
The rule still asks its pattern: what comes by another way than the sieve is judged as ever.
"""

from __future__ import annotations

from keysh.text.regex.native.line_search import select_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.text.regex.regex import Regex


class Sieve:
    """Lets through the lines that hold a match, or those that hold none, and counts all."""

    __slots__ = ("_lines_before", "_keeps", "_passed", "_passed_before", "_regex", "_text", "_tick")

    def __init__(self, regex: Regex, keeps: bool, tick: Callable[[], object]) -> None:
        self._regex, self._keeps, self._tick = regex, keeps, tick
        self.begin_file()

    def begin_file(self) -> None:
        """A new file."""
        self._text, self._passed, self._lines_before, self._passed_before = "", 0, 0, 0

    def select_lines(self, text: str) -> str:
        """The lines of a text, each with its newline, that are let through."""
        self._lines_before += self._text.count("\n")
        self._passed_before += self._passed
        self._text = text
        made = select_lines(self._regex, text, self._tick, keeps=self._keeps)
        self._passed = made.count("\n")
        return made

    def line_number(self, number: int) -> int:
        """Which line of its file the line is that was let through as the so-many-th."""
        left = number - self._passed_before
        at = self._lines_before
        for line in self._text.split("\n")[:-1] if left > 0 else ():
            at += 1
            left -= self._regex.is_in(line) == self._keeps
            if not left:
                return at
        return at + left
