"""Hunks: the lines to find in a file, and the lines to replace them with."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

NO_NEWLINE_MARK = "\\"  # starts the line that says that the previous line has no newline
# Printed after a line without a newline.
NO_NEWLINE_TEXT = f"\n{NO_NEWLINE_MARK} No newline at end of file\n"


class MalformedPatch(Exception):
    """A hunk is truncated or has an invalid line; the message says where."""


class PatchHunk:
    """A hunk: where it starts in both files, and its lines, each a mark and its text.

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
        inverse_lines: list[tuple[str, str]] = []
        added: list[tuple[str, str]] = []
        for mark, text in self.lines:
            if mark == "-":
                added.append(("+", text))
                continue
            if mark == " ":
                inverse_lines += added
                added = []
            inverse_lines.append(("-" if mark == "+" else " ", text))
        hunk = PatchHunk(self.new_start, self.old_start, inverse_lines + added, self.heading)
        hunk.is_truncated = self.is_truncated
        return hunk


def drop_missing_newline(
    lines: Sequence[str], position: int, marked_lines: list[tuple[str, str]]
) -> int:
    """Strip the newline of the last line if the patch says that it has none."""
    if position < len(lines) and lines[position].startswith(NO_NEWLINE_MARK) and marked_lines:
        mark, text = marked_lines[-1]
        marked_lines[-1] = mark, text.removesuffix("\n")
        return position + 1
    return position
