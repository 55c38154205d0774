"""The form side by side: lines that stand for each other in two columns."""

from __future__ import annotations

from itertools import zip_longest

from keysh.diagnostics.width import CharacterWidths
from keysh.tools.diff.color import SIDE_COLORS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.tools.diff.hunk import LineComparison
    from keysh.tools.diff.rules import DiffOptions

MIN_GUTTER_COLUMNS = 3  # columns at least between the two halves


class SideBySideLayout:
    """How wide a half is, and where the second one begins; that is on a tab stop."""

    __slots__ = ("_rules", "_widths", "half_width", "second_start")

    def __init__(self, rules: DiffOptions) -> None:
        self._rules, self._widths = rules, CharacterWidths()
        tab = 1 if rules.expand_tabs else rules.tab_size
        offset = (rules.columns + tab + MIN_GUTTER_COLUMNS) // (2 * tab) * tab
        self.half_width = max(0, min(offset - MIN_GUTTER_COLUMNS, rules.columns - offset))
        self.second_start = offset if self.half_width else rules.columns

    def row(self, left: str | None, mark: str, right: str | None) -> str:
        """A line of both halves."""
        ends = [line.endswith("\n") for line in (left, right) if line is not None]
        if mark == "|" and ends[0] != ends[1]:
            mark = "/" if ends[0] else "\\"
        text, at = self._fit(left, 0)
        pieces = [text]
        if mark != " ":
            middle = (self.half_width + self.second_start - 1) >> 1
            pieces.append(self._blanks(at, middle) + mark)
            at = middle + 1
        bare = (right or "").removesuffix("\n")
        if bare:
            text, _ = self._fit(right, self.second_start)
            pieces += self._blanks(at, self.second_start), text
        return "".join(pieces) + ("\n" if any(ends) else "")

    def _fit(self, line: str | None, start: int) -> tuple[str, int]:
        """What fits of a line into its half, and the column behind it."""
        pieces: list[str] = []
        column = printed = 0  # of the line, and of what is printed of it
        tab, half = self._rules.tab_size, self.half_width
        for char in (line or "").removesuffix("\n"):
            if char == "\t":
                stop = column + tab - column % tab
                if column == printed:
                    text, printed = self._tab(column, stop)
                    pieces.append(text)
                column = stop
            elif char == "\r":  # the half begins anew
                pieces.append("\r" + self._blanks(0, start))
                column = printed = 0
            elif char == "\b":
                if 0 <= (column := column - 1) < half:
                    pieces.append(" " * (column - printed) if printed <= column else char)
                    printed = column
                column = max(column, 0)
            elif char in "\f\v" or "\udc80" <= char <= "\udcff":
                pieces.append(char if column < half else "")
            else:
                column += self._widths[ord(char)]
                if column <= half:
                    pieces.append(char)
                    printed = column
        return "".join(pieces), start + printed

    def _tab(self, column: int, stop: int) -> tuple[str, int]:
        """What is printed of a tab, and the column behind it."""
        if self._rules.expand_tabs:
            stop = max(column, min(stop, self.half_width))
            return " " * (stop - column), stop
        return ("\t", stop) if stop < self.half_width else ("", column)

    def _blanks(self, at: int, to: int) -> str:
        """Tabs and spaces from one column to another."""
        tab = self._rules.tab_size
        if self._rules.expand_tabs or to // tab <= at // tab:
            return " " * (to - at)
        return "\t" * (to // tab - at // tab) + " " * (to % tab)


def side_by_side_diff(comparison: LineComparison) -> Iterator[str]:
    """All lines of both sides, or only those that changed."""
    rules, columns = comparison.rules, SideBySideLayout(comparison.rules)
    old, new = comparison.old.lines, comparison.new.lines
    at = there = 0
    for change in comparison.significant_changes():
        yield from common_rows(columns, rules, old[at : change.old], new[there : change.new])
        at, there = change.old + change.deleted_count, change.new + change.inserted_count
        for left, right in zip_longest(
            comparison.deleted_lines(change), comparison.inserted_lines(change)
        ):
            mark = "<" if right is None else ">" if left is None else "|"
            row = columns.row(left, mark, right)
            yield rules.palette.paint(SIDE_COLORS.get(mark, ""), row) if rules.palette else row
    yield from common_rows(columns, rules, old[at:], new[there:])


def common_rows(
    columns: SideBySideLayout, rules: DiffOptions, old: list[str], new: list[str]
) -> Iterator[str]:
    """Lines that are equal on both sides; changes that do not count can make one side longer."""
    if rules.suppress_common:
        return
    if rules.left_column:
        for line in old:
            yield columns.row(line, "(", None)
        return
    for left, right in zip_longest(old, new):
        mark = ")" if left is None else "(" if right is None else " "
        yield columns.row(left, mark, right)
