"""Table layout: the widths of the columns, and the lines of the table."""

from __future__ import annotations

from keysh.diagnostics.width import CharacterWidths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from keysh.tools.column.tree import Forest

CHARACTER_WIDTHS = CharacterWidths()


class TableColumn:
    """One column: its index in a row, its options and its width.

    If the table is too wide, a column that `ignores_extremes` is sized without the fields longer
    than twice the average, and one that `is_truncated` or `is_wrapped` may become narrower than its
    fields.
    """

    __slots__ = (
        "_average", "_widest", "has_extremes", "ignores_extremes", "index", "is_hidden", "is_right",
        "is_truncated", "is_wrapped", "min_width", "name", "width",
    )  # fmt: skip

    def __init__(self, index: int, name: str) -> None:
        self.index, self.name = index, name
        self.is_right = self.is_truncated = self.ignores_extremes = self.is_wrapped = (
            self.is_hidden
        ) = False
        self.width = self.min_width = 0
        self.has_extremes, self._average, self._widest = False, 0, 0

    def measure(self, sizes: Sequence[int]) -> None:
        """Set the width from those of the fields; a second call leaves out the extremes."""
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

    def grow_by(self, room: int) -> int:
        """Take from `room` what the long fields need, and return how much that is."""
        taken = min(room, self._widest - self.width)
        self.width += taken
        return taken


def field_width(text: str) -> int:
    """Return the display width of a string."""
    return len(text) if text.isascii() and text.isprintable() else measured_width(text)


def measured_width(text: str) -> int:
    """Sum the widths of the characters."""
    return sum(map(CHARACTER_WIDTHS.__getitem__, map(ord, text)))


def fit_widths(
    columns: Sequence[TableColumn], sizes: Callable[[TableColumn], list[int]], gap: int, room: int
) -> None:
    """Set the widths; columns that can be narrowed shrink until the table fits `room`."""
    for column in columns:
        column.measure(sizes(column))
    total = sum(column.width for column in columns) + gap * max(0, len(columns) - 1)
    if total > room and any(column.has_extremes for column in columns):
        for column in columns:
            if column.has_extremes:
                previous = column.width
                column.measure(sizes(column))
                total -= max(0, previous - column.width)
        for column in columns:
            if column.has_extremes and total < room:
                total += column.grow_by(room - total)
    narrower = [column for column in columns if column.is_truncated or column.is_wrapped]
    while total > room:
        previous = total
        for column in narrower:
            if total > room and column.width not in (0, column.min_width):
                column.width -= 1
                total -= 1
        if total == previous:
            return


class TableLayout:
    """The rows of a table and its columns in output order."""

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
        # Each row with the tree art of its continuation lines.
        self._rows = [(row, "") for row in rows] if forest is None else rows_with_tree(rows, forest)

    def lines(self, room: int, has_heads: bool, page: int) -> Iterator[str]:
        """Yield the lines; the header is repeated after each `page` lines."""
        fit_widths(self._visible, self._sizes, field_width(self._gap), room)
        names = {column.index: column.name for column in self._visible}
        head = [names.get(at, "") for at in range(max(names, default=-1) + 1)]
        remaining = 0
        for number, (row, below) in enumerate(self._rows):
            self._tick()
            if has_heads and (number == 0 or (page and remaining <= 0)):
                yield self._row_text(head, "")
                remaining = page
            text = self._row_text(row, below)
            remaining -= text.count("\n")
            yield text

    def _sizes(self, column: TableColumn) -> list[int]:
        """Return the widths of a column's fields."""
        at = column.index
        self._tick()
        return [field_width(row[at]) if at < len(row) else 0 for row, _ in self._rows]

    def _row_text(self, row: Sequence[str], below: str) -> str:
        """Format a row as one line if every field fits its column."""
        cells, last = [], self._visible[-1] if self._visible else None
        for column in self._visible:
            field = row[column.index] if column.index < len(row) else ""
            blanks = column.width - field_width(field)
            if column is last:
                if blanks < 0 and (column.is_truncated or column.is_wrapped):
                    return self._overflowing_row(row, below)
                cells.append(f"{' ' * blanks}{field}" if column.is_right and field else field)
            elif blanks < 0:
                return self._overflowing_row(row, below)
            else:
                pad = " " * blanks
                cells.append(f"{pad}{field}" if column.is_right else f"{field}{pad}")
        return self._gap.join(cells) + "\n"

    def _overflowing_row(self, row: Sequence[str], below: str) -> str:
        """Format a row with a field that exceeds its column."""
        text = ""
        leftovers: dict[TableColumn, str] = {}  # continued on the next line
        for position, column in enumerate(self._columns):
            if column.is_hidden:
                continue
            field = row[column.index] if column.index < len(row) else ""
            if field_width(field) > column.width and (column.is_truncated or column.is_wrapped):
                field, rest = split_at_width(field, column.width)
                if not column.is_truncated:
                    leftovers[column] = rest
            blanks = " " * (column.width - field_width(field))
            is_last = column is self._visible[-1]
            if column.is_right and (field or not is_last):
                text += blanks + field
            else:
                text += field if is_last else field + blanks
            if not (is_last or column.is_right) and field_width(field) > column.width:
                text += "\n" + "".join(
                    self._filler(column_before, below)
                    for column_before in self._columns[: position + 1]
                )
            elif not is_last:
                text += self._gap
        text += "\n"
        while leftovers:
            text += self._continuation_line(leftovers, below)
        return text

    def _continuation_line(self, leftovers: dict[TableColumn, str], below: str) -> str:
        """Format the next line of wrapped fields."""
        self._tick()
        text = ""
        for column in self._visible:
            if column not in leftovers:
                text += self._filler(column, below)
                continue
            field, rest = leftovers.pop(column), ""
            if field_width(field) > column.width:
                head, rest = split_at_width(field, column.width)
                # Take at least one character, so that every round makes progress.
                field, rest = (head, rest) if head else (field[0], field[1:])
            if rest:
                leftovers[column] = rest
            text += field
            if column is not self._visible[-1]:
                text += " " * (column.width - field_width(field)) + self._gap
        return text + "\n"

    def _filler(self, column: TableColumn, below: str) -> str:
        """Fill a column that does not continue; the last column gets no padding."""
        art = below if column.index == self._tree_index else ""
        if column is self._visible[-1]:
            return art
        return art + " " * (column.width - field_width(art)) + self._gap


def rows_with_tree(rows: Sequence[list[str]], forest: Forest) -> list[tuple[list[str], str]]:
    """Return the rows in tree order with the tree drawn in one column."""
    index, drawn_rows = forest.column_index, []
    for number, art, below in forest.walk():
        row = rows[number] + [""] * (index + 1 - len(rows[number]))
        row[index] = art + row[index]
        drawn_rows.append((row, below))
    return drawn_rows


def split_at_width(text: str, room: int) -> tuple[str, str]:
    """Split a string at the given number of terminal columns."""
    taken = 0
    for index, char in enumerate(text):
        taken += CHARACTER_WIDTHS[ord(char)]
        if taken > room:
            return text[:index], text[index:]
    return text, ""
