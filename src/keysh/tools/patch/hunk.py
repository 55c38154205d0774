"""Hunks: the lines to find in a file, and the lines to replace them with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NO_NEWLINE_MARK = "\\"  # starts the line that says that the previous line has no newline
NO_NEWLINE_TEXT = (
    f"\n{NO_NEWLINE_MARK} No newline at end of file\n"  # the end of a line with no newline
)


class MalformedPatch(Exception):
    """A hunk is truncated or has an invalid line; the message says where."""


class PatchHunk:
    """A hunk: where it starts in both files, and its lines, each a mark and a text.

    `heading` is the rest of its first line: the function that it is in. `is_truncated` means that
    its last line is incomplete.
    """

    __slots__ = ("heading", "is_truncated", "lines", "new_start", "old_start")

    def __init__(
        self, old_start: int, new_start: int, lines: list[tuple[str, str]], note: str = ""
    ) -> None:
        self.old_start, self.new_start, self.lines = old_start, new_start, lines
        self.heading, self.is_truncated = note, False

    @property
    def old_lines(self) -> list[str]:
        """The lines to find."""
        return [text for mark, text in self.lines if mark != "+"]

    @property
    def new_lines(self) -> list[str]:
        """The lines to replace them with."""
        return [text for mark, text in self.lines if mark != "-"]

    def context_sizes(self) -> tuple[int, int]:
        """Return the number of context lines before and after the changes."""
        marks = "".join(mark for mark, _ in self.lines)
        return len(marks) - len(marks.lstrip(" ")), len(marks) - len(marks.rstrip(" "))

    def inverse(self) -> PatchHunk:
        """Return the reversed hunk; its deletions also precede its insertions."""
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
    """Strip the newline of the last line if the patch says that it has none."""
    if at < len(lines) and lines[at].startswith(NO_NEWLINE_MARK) and found:
        mark, text = found[-1]
        found[-1] = mark, text.removesuffix("\n")
        return at + 1
    return at
