"""Laying out a table: how wide its columns are, and its lines."""

from __future__ import annotations

from keysh.diagnostics.width import CharacterWidths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from keysh.tools.column.tree import Forest

CHARACTER_WIDTHS = CharacterWidths()


class TableColumn:
    """One column: where its fields stand in a row, what the options say of it, and its width.

    `is_even` says that fields of more than twice the average do not count where the table is too
    wide; `is_cut` and `is_folded` that the column may be narrower than its fields there.
    """

    __slots__ = (
        "_average", "_widest", "index", "has_extremes", "is_truncated", "ignores_extremes", "is_wrapped",
        "is_hidden", "is_right", "min_width", "name", "width",
    )  # fmt: skip

    def __init__(self, at: int, name: str) -> None:
        self.index, self.name = at, name
        self.is_right = self.is_truncated = self.ignores_extremes = self.is_wrapped = (
            self.is_hidden
        ) = False
        self.width = self.min_width = 0
        self.has_extremes, self._average, self._widest = False, 0, 0

    def measure(self, sizes: Sequence[int]) -> None:
        """Set the width from those of the fields; a second time, without the long ones."""
        head = field_width(self.name)
        self.min_width = max(head, 1)
        self._widest = max(sizes, default=0)
        if self.has_extremes and self._average:
            sizes = [size for size in sizes if size <= self._average * 2]
        elif self.ignores_extremes and sizes:
            self._average = sum(sizes) // len(sizes)
            self.has_extremes = self._average > 0 and self._widest > self._average * 2
        self.width = max(self.min_width, max(sizes, default=0))
        if not self._widest and not self.name:
            self.width = self.min_width = 0

    def widen(self, room: int) -> int:
        """Take of some room what the long fields need; how much that is."""
        taken = min(room, self._widest - self.width)
        self.width += taken
        return taken


def field_width(text: str) -> int:
    """The columns of a terminal that a text takes."""
    return len(text) if text.isascii() and text.isprintable() else measured_width(text)


def measured_width(text: str) -> int:
    """The columns that a text takes, each of its characters asked by itself."""
    return sum(map(CHARACTER_WIDTHS.__getitem__, map(ord, text)))


def fit_widths(
    columns: Sequence[TableColumn], sizes: Callable[[TableColumn], list[int]], gap: int, room: int
) -> None:
    """Set the columns' widths, so that they take no more than the room where they may give way."""
    for column in columns:
        column.measure(sizes(column))
    total = sum(column.width for column in columns) + gap * max(0, len(columns) - 1)
    if total > room and any(column.has_extremes for column in columns):
        for column in columns:
            if column.has_extremes:
                before = column.width
                column.measure(sizes(column))
                total -= max(0, before - column.width)
        for column in columns:
            if column.has_extremes and total < room:
                total += column.widen(room - total)
    narrower = [column for column in columns if column.is_truncated or column.is_wrapped]
    while total > room:
        before = total
        for column in narrower:
            if total > room and column.width not in (0, column.min_width):
                column.width -= 1
                total -= 1
        if total == before:
            return


class TableLayout:
    """The rows of a table with their columns, in the order that they are shown in."""

    def __init__(
        self,
        rows: Sequence[list[str]],
        columns: Sequence[TableColumn],
        gap: str,
        tick: Callable[[], None],
        forest: Forest | None,
    ) -> None:
        self._columns, self._gap, self._tick = columns, gap, tick
        self._visible = [column for column in columns if not column.is_hidden]
        self._tree_index = -1 if forest is None else forest.column_index
        # Each with what continues the tree below it.
        self._rows = [(row, "") for row in rows] if forest is None else rows_with_tree(rows, forest)

    def lines(self, room: int, has_heads: bool, page: int) -> Iterator[str]:
        """The lines; the names come again after a page of them."""
        fit_widths(self._visible, self._sizes, field_width(self._gap), room)
        names = {column.index: column.name for column in self._visible}
        head = [names.get(at, "") for at in range(max(names, default=-1) + 1)]
        left = 0
        for number, (row, below) in enumerate(self._rows):
            self._tick()
            if has_heads and (number == 0 or (page and left <= 0)):
                yield self._row_text(head, "")
                left = page
            text = self._row_text(row, below)
            left -= text.count("\n")
            yield text

    def _sizes(self, column: TableColumn) -> list[int]:
        """The widths of a column's fields."""
        at = column.index
        return [field_width(row[at]) if at < len(row) else 0 for row, _ in self._rows]

    def _row_text(self, row: Sequence[str], below: str) -> str:
        """A row, in one line where every field has room."""
        pieces, last = [], self._visible[-1] if self._visible else None
        for column in self._visible:
            field = row[column.index] if column.index < len(row) else ""
            blanks = column.width - field_width(field)
            if column is last:
                if blanks < 0 and (column.is_truncated or column.is_wrapped):
                    return self._overflowing_row(row, below)
                pieces.append(f"{' ' * blanks}{field}" if column.is_right and field else field)
            elif blanks < 0:
                return self._overflowing_row(row, below)
            else:
                pad = " " * blanks
                pieces.append(f"{pad}{field}" if column.is_right else f"{field}{pad}")
        return self._gap.join(pieces) + "\n"

    def _overflowing_row(self, row: Sequence[str], below: str) -> str:
        """A row with a field that has no room in its column."""
        text = ""
        left: dict[TableColumn, str] = {}  # what goes on in the next line
        for at, column in enumerate(self._columns):
            if column.is_hidden:
                continue
            field = row[column.index] if column.index < len(row) else ""
            if field_width(field) > column.width and (column.is_truncated or column.is_wrapped):
                field, rest = split_at_width(field, column.width)
                if not column.is_truncated:
                    left[column] = rest
            blanks = " " * (column.width - field_width(field))
            is_last = column is self._visible[-1]
            if column.is_right and (field or not is_last):
                text += blanks + field
            else:
                text += field if is_last else field + blanks
            if not (is_last or column.is_right) and field_width(field) > column.width:
                text += "\n" + "".join(self._filler(one, below) for one in self._columns[: at + 1])
            elif not is_last:
                text += self._gap
        text += "\n"
        while left:
            text += self._continuation_line(left, below)
        return text

    def _continuation_line(self, left: dict[TableColumn, str], below: str) -> str:
        """One more line of the fields that go on."""
        self._tick()
        text = ""
        for column in self._visible:
            if column not in left:
                text += self._filler(column, below)
                continue
            field, rest = left.pop(column), ""
            if field_width(field) > column.width:
                head, rest = split_at_width(field, column.width)
                field, rest = (head, rest) if head else (field[0], field[1:])  # it must go on
            if rest:
                left[column] = rest
            text += field
            if column is not self._visible[-1]:
                text += " " * (column.width - field_width(field)) + self._gap
        return text + "\n"

    def _filler(self, column: TableColumn, below: str) -> str:
        """What stands in a column where a row goes on; where it is hidden, the gap is not."""
        art = below if column.index == self._tree_index else ""
        if column is self._visible[-1]:
            return art
        return art + " " * (column.width - field_width(art)) + self._gap


def rows_with_tree(rows: Sequence[list[str]], forest: Forest) -> list[tuple[list[str], str]]:
    """The rows in the order of a tree that is drawn in one of their columns."""
    at, found = forest.column_index, []
    for number, first, below in forest.walk():
        row = rows[number] + [""] * (at + 1 - len(rows[number]))
        row[at] = first + row[at]
        found.append((row, below))
    return found


def split_at_width(text: str, room: int) -> tuple[str, str]:
    """The beginning of a text that has room, and what is left."""
    taken = 0
    for at, char in enumerate(text):
        taken += CHARACTER_WIDTHS[ord(char)]
        if taken > room:
            return text[:at], text[at:]
    return text, ""
