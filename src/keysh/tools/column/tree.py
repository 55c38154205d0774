"""The tree of a table whose rows name their parents."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BRANCH, LAST_BRANCH, VERTICAL_LINE, BLANK = "├─", "└─", "│ ", "  "


class Forest:
    """The tree order of the rows and the art drawn in column `column_index`.

    As in libsmartcols, a row with two parents belongs to the later one, and no row is below itself.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[str]],
        column_index: int,
        id_index: int,
        parent_index: int,
        *,
        tick: Callable[[], None],
    ) -> None:
        self.column_index = column_index
        self.children: dict[int, dict[int, None]] = {}  # by row, in order
        self._parents: dict[int, int] = {}
        below: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            if parent_index < len(row):
                below.setdefault(row[parent_index], []).append(number)
        for number, row in enumerate(rows):
            tick()
            for child in below.get(row[id_index], ()) if id_index < len(row) else ():
                if not self._is_within(number, child):
                    self._attach(child, number)
        self.roots = [number for number in range(len(rows)) if number not in self._parents]

    def _is_within(self, row: int, other: int) -> bool:
        """Tell whether `row` is `other` or below it."""
        if row != other and other not in self.children:
            return False
        while row != other:
            if row not in self._parents:
                return False
            row = self._parents[row]
        return True

    def _attach(self, child: int, parent: int) -> None:
        if child in self._parents:
            del self.children[self._parents[child]][child]
        self._parents[child] = parent
        self.children.setdefault(parent, {})[child] = None

    def walk(self) -> Iterator[tuple[int, str, str]]:
        """Yield each row, the art on its first line and the art on its further lines."""
        waiting = [(root, "", "") for root in reversed(self.roots)]
        while waiting:
            row, first, below = waiting.pop()
            children = list(self.children.get(row, ()))
            yield row, first, below + (VERTICAL_LINE if children else "")
            for child in reversed(children):
                is_last = child == children[-1]
                waiting.append(
                    (
                        child,
                        below + (LAST_BRANCH if is_last else BRANCH),
                        below + (BLANK if is_last else VERTICAL_LINE),
                    )
                )
