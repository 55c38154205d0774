"""Skip lines that no rule acts on before they become records.

`awk '/error/ { print $2 }'` ignores most lines. If the program cannot notice that lines are
missing, chunks are searched as by `grep`, and only matching lines become records. The rule still
tests its pattern, because records may also come by ways that bypass the sieve.
"""

from __future__ import annotations

from keysh.text.regex.native.line_search import select_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.text.regex.regex import Regex


class Sieve:
    """Selects the lines that match, or those that do not, and counts all lines."""

    __slots__ = ("_lines_before", "_keeps", "_passed", "_passed_before", "_regex", "_text", "_tick")

    def __init__(self, regex: Regex, keeps: bool, tick: Callable[[], object]) -> None:
        self._regex, self._keeps, self._tick = regex, keeps, tick
        self.begin_file()

    def begin_file(self) -> None:
        """Start counting anew for a file."""
        self._text, self._passed, self._lines_before, self._passed_before = "", 0, 0, 0

    def select_lines(self, text: str) -> str:
        """Return the selected lines of a text, with their newlines."""
        self._lines_before += self._text.count("\n")
        self._passed_before += self._passed
        self._text = text
        selection = select_lines(self._regex, text, self._tick, keeps=self._keeps)
        self._passed = selection.count("\n")
        return selection

    def line_number(self, number: int) -> int:
        """Return the number in its file of the line that was selected as the `number`-th."""
        remaining = number - self._passed_before
        line_number = self._lines_before
        for line in self._text.split("\n")[:-1] if remaining > 0 else ():
            line_number += 1
            remaining -= self._regex.is_in(line) == self._keeps
            if not remaining:
                return line_number
        return line_number + remaining
