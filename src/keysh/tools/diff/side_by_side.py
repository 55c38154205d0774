"""Side-by-side output: corresponding lines in two columns."""

from __future__ import annotations

from itertools import zip_longest

from keysh.diagnostics.width import CharacterWidths
from keysh.tools.diff.color import ROW_COLORS, paint

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.tools.diff.hunk import LineComparison
    from keysh.tools.diff.rules import DiffOptions

MIN_GUTTER_COLUMNS = 3  # between the two columns


class SideBySideLayout:
    """The width of each column and the start of the second one, which is on a tab stop."""

    __slots__ = ("_rules", "_widths", "half_width", "second_start")

    def __init__(self, rules: DiffOptions) -> None:
        self._rules, self._widths = rules, CharacterWidths()
        tab = 1 if rules.expand_tabs else rules.tab_size
        offset = (rules.columns + tab + MIN_GUTTER_COLUMNS) // (2 * tab) * tab
        self.half_width = max(0, min(offset - MIN_GUTTER_COLUMNS, rules.columns - offset))
        self.second_start = offset if self.half_width else rules.columns

    def row(self, old_line: str | None, mark: str, new_line: str | None) -> str:
        """Return one output line."""
        ends = [line.endswith("\n") for line in (old_line, new_line) if line is not None]
        if mark == "|" and ends[0] != ends[1]:
            mark = "/" if ends[0] else "\\"
        text, column = self._fit(old_line, 0)
        pieces = [text]
        if mark != " ":
            middle = (self.half_width + self.second_start - 1) >> 1
            pieces.append(self._blanks(column, middle) + mark)
            column = middle + 1
        bare = (new_line or "").removesuffix("\n")
        if bare:
            text, _ = self._fit(new_line, self.second_start)
            pieces += self._blanks(column, self.second_start), text
        return "".join(pieces) + ("\n" if any(ends) else "")

    def _fit(self, line: str | None, start: int) -> tuple[str, int]:
        """Truncate a line to the width of a column; return it and the column where it ends."""
        pieces: list[str] = []
        column = printed = 0  # in the line, and in the output
        tab, half = self._rules.tab_size, self.half_width
        for char in (line or "").removesuffix("\n"):
            if char == "\t":
                stop = column + tab - column % tab
                if column == printed:
                    text, printed = self._tab(column, stop)
                    pieces.append(text)
                column = stop
            elif char == "\r":  # output continues at the start of the column
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
        """Return what a tab prints, and the column where it ends."""
        if self._rules.expand_tabs:
            stop = max(column, min(stop, self.half_width))
            return " " * (stop - column), stop
        return ("\t", stop) if stop < self.half_width else ("", column)

    def _blanks(self, start: int, stop_column: int) -> str:
        """Return tabs and spaces from one column to another."""
        tab = self._rules.tab_size
        if self._rules.expand_tabs or stop_column // tab <= start // tab:
            return " " * (stop_column - start)
        return "\t" * (stop_column // tab - start // tab) + " " * (stop_column % tab)


def side_by_side_diff(comparison: LineComparison) -> Iterator[str]:
    """Return all lines of both files, or only those that differ."""
    rules, layout = comparison.rules, SideBySideLayout(comparison.rules)
    old, new = comparison.old.lines, comparison.new.lines
    old_end = new_end = 0  # of the previous change
    for change in comparison.significant_changes():
        yield from common_rows(layout, rules, old[old_end : change.old], new[new_end : change.new])
        old_end = change.old + change.deleted_count
        new_end = change.new + change.inserted_count
        for left, right in zip_longest(
            comparison.deleted_lines(change), comparison.inserted_lines(change)
        ):
            mark = "<" if right is None else ">" if left is None else "|"
            row = layout.row(left, mark, right)
            yield paint(ROW_COLORS.get(mark, ""), row) if rules.is_colored else row
    yield from common_rows(layout, rules, old[old_end:], new[new_end:])


def common_rows(
    layout: SideBySideLayout, rules: DiffOptions, old: list[str], new: list[str]
) -> Iterator[str]:
    """Return common lines; ignored changes can make one side longer than the other."""
    if rules.suppress_common:
        return
    if rules.left_column:
        for line in old:
            yield layout.row(line, "(", None)
        return
    for left, right in zip_longest(old, new):
        mark = ")" if left is None else "(" if right is None else " "
        yield layout.row(left, mark, right)
