"""One of the two files that are compared: its lines, and their normalized forms."""

from __future__ import annotations

import re

from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.tools.diff.rules import DiffOptions

BINARY_CHECK_BYTES = 4096  # GNU diff takes a file with a NUL in this many bytes as binary
BLANK_RUN = re.compile(r"[ \t\v\f\r]+")
ASCII_LOWERCASE = {ord(letter): letter.lower() for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}


class DiffSide:
    """A file and its lines, which keep their newlines; the last line may lack one."""

    __slots__ = ("_identity", "lacked_newline", "lines", "modified", "name", "text")

    def __init__(
        self, name: str, text: str, modified: int, place: tuple[int, int] = (0, 0)
    ) -> None:
        """`identity` is the device and inode number, or zeros."""
        self._identity = place
        self.name, self.text, self.modified = name, text, modified
        self.lines: list[str] = []
        self.lacked_newline = False  # before `add_final_newline`

    def is_same_file(self, other: DiffSide) -> bool:
        """Whether both sides are the same file."""
        return self._identity == other._identity and self._identity[1] != 0

    def add_final_newline(self) -> None:
        """Add a newline to the last line."""
        self.lacked_newline = bool(self.text) and not self.text.endswith("\n")
        if self.lacked_newline:
            self.text += "\n"

    @property
    def is_binary(self) -> bool:
        """Whether the file seems to be binary."""
        return b"\0" in bytes_of_text(self.text[:BINARY_CHECK_BYTES])[:BINARY_CHECK_BYTES]

    def split_lines(self) -> None:
        """Set `lines`."""
        self.lines = lines_of(self.text)

    def normalized_lines(self, rules: DiffOptions) -> Sequence[str]:
        """Return the lines as the options let them be compared."""
        if not rules.normalizes_lines:
            return self.lines
        text = self.text
        if rules.ignores_case:
            text = text.lower() if text.isascii() else text.translate(ASCII_LOWERCASE)
        if rules.all_space:
            text = BLANK_RUN.sub("", text)
        elif rules.space_change:
            text = BLANK_RUN.sub(" ", text).replace(" \n", "\n")
        elif rules.tab_expansion:
            text = text.expandtabs(rules.tab_size)
        if not rules.ignores_last_newline:
            return lines_of(text)
        lines = text.split("\n")[: len(self.lines)]
        if not (rules.all_space or rules.space_change):
            return [line.rstrip(" \t\v\f\r") for line in lines]
        if lines:
            lines[-1] = lines[-1].removesuffix(" ")
        return lines


def lines_of(text: str) -> list[str]:
    """Return the lines of a string with their newlines."""
    *whole, last = text.split("\n")
    lines = [f"{line}\n" for line in whole]
    return [*lines, last] if last else lines
