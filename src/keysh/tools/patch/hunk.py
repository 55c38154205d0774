"""Hunks: places in a file, and the lines that are there and shall be there."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NO_NEWLINE_MARK = "\\"  # begins the line that tells that the one before has no newline
NO_NEWLINE_TEXT = f"\n{NO_NEWLINE_MARK} No newline at end of file\n"  # what such a line ends with


class MalformedPatch(Exception):
    """A hunk is cut off or has a line that is none; the message tells where."""


class PatchHunk:
    """One hunk: where it begins in both files, and its lines, each a mark and a text.

    `note` is what its first line tells beside that: the function that it stands in. One that is cut
    ends in the middle of a line.
    """

    __slots__ = ("is_truncated", "lines", "new_start", "heading", "old_start")

    def __init__(
        self, old_start: int, new_start: int, lines: list[tuple[str, str]], note: str = ""
    ) -> None:
        self.old_start, self.new_start, self.lines = old_start, new_start, lines
        self.heading, self.is_truncated = note, False

    @property
    def old_lines(self) -> list[str]:
        """The lines that the hunk looks for."""
        return [text for mark, text in self.lines if mark != "+"]

    @property
    def new_lines(self) -> list[str]:
        """The lines that it puts there."""
        return [text for mark, text in self.lines if mark != "-"]

    def context_sizes(self) -> tuple[int, int]:
        """How many lines before and behind the changes are the same in both files."""
        marks = "".join(mark for mark, _ in self.lines)
        return len(marks) - len(marks.lstrip(" ")), len(marks) - len(marks.rstrip(" "))

    def inverse(self) -> PatchHunk:
        """The hunk that takes this one back; what is deleted stands first in it, too."""
        turned: list[tuple[str, str]] = []
        added: list[tuple[str, str]] = []
        for mark, text in self.lines:
            if mark == "-":
                added.append(("+", text))
                continue
            if mark == " ":
                turned += added
                added = []
            turned.append(("-" if mark == "+" else " ", text))
        made = PatchHunk(self.new_start, self.old_start, turned + added, self.heading)
        made.is_truncated = self.is_truncated
        return made


def drop_missing_newline(lines: Sequence[str], at: int, found: list[tuple[str, str]]) -> int:
    """Take the newline off the last line, where the patch says that it has none."""
    if at < len(lines) and lines[at].startswith(NO_NEWLINE_MARK) and found:
        mark, text = found[-1]
        found[-1] = mark, text.removesuffix("\n")
        return at + 1
    return at
