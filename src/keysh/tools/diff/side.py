"""Side: one of the two files that are compared, its lines, and what of them counts."""

from __future__ import annotations

import re

from keysh.text.chunks import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.tools.diff.rules import Rules

SNIFFED = 4096  # bytes at the start in which a NUL makes a file binary, as for GNU's diff
BLANKS = re.compile(r"[ \t\v\f\r]+")
SMALL = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


class Side:
    """A file that has been read. Its lines have their newlines; the last one may have none."""

    __slots__ = ("_place", "is_torn", "lines", "modified", "name", "text")

    def __init__(
        self, name: str, text: str, modified: int, place: tuple[int, int] = (0, 0)
    ) -> None:
        """`place` is the device and the number of the file, as far as it has any."""
        self._place = place
        self.name, self.text, self.modified = name, text, modified
        self.lines: list[str] = []
        self.is_torn = False  # whether its last line has been given a newline

    def is_same_file(self, other: Side) -> bool:
        """Whether both are one file."""
        return self._place == other._place and self._place[1] != 0

    def mend(self) -> None:
        """Give the last line a newline."""
        self.is_torn = bool(self.text) and not self.text.endswith("\n")
        if self.is_torn:
            self.text += "\n"

    @property
    def is_binary(self) -> bool:
        """Whether it looks like no text."""
        return b"\0" in encoded(self.text[:SNIFFED])[:SNIFFED]

    def split(self) -> None:
        """Make its lines."""
        self.lines = lines_of(self.text)

    def compared(self, rules: Rules) -> Sequence[str]:
        """What is compared of its lines."""
        if not rules.is_inexact:
            return self.lines
        text = self.text
        if rules.case:
            text = text.lower() if text.isascii() else text.translate(SMALL)
        if rules.all_space:
            text = BLANKS.sub("", text)
        elif rules.space_change:
            text = BLANKS.sub(" ", text).replace(" \n", "\n")
        elif rules.tab_expansion:
            text = text.expandtabs(rules.tab_size)
        if not rules.joins_last_line:
            return lines_of(text)
        lines = text.split("\n")[: len(self.lines)]
        if not (rules.all_space or rules.space_change):
            return [line.rstrip(" \t\v\f\r") for line in lines]
        if lines:
            lines[-1] = lines[-1].removesuffix(" ")
        return lines


def lines_of(text: str) -> list[str]:
    """The lines of a text, with their newlines."""
    *whole, last = text.split("\n")
    lines = [f"{line}\n" for line in whole]
    return [*lines, last] if last else lines
