"""Forest: rows of a table that stand below others, each of which names the one above it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

BRANCH, LAST_BRANCH, VERTICAL_LINE, BLANK = "├─", "└─", "│ ", "  "


class Forest:
    """The order of the rows, and what is drawn before each in the column `at`.

    As in libsmartcols, a row with two above it goes below the later one, and none below itself.
    """

    def __init__(
        self,
        rows: Sequence[Sequence[str]],
        at: int,
        own: int,
        above: int,
        *,
        tick: Callable[[], None],
    ) -> None:
        self.column_index = at
        self.children: dict[int, dict[int, None]] = {}  # a row's, in their order
        self._parents: dict[int, int] = {}
        below: dict[str, list[int]] = {}
        for number, row in enumerate(rows):
            if above < len(row):
                below.setdefault(row[above], []).append(number)
        for number, row in enumerate(rows):
            tick()
            for child in below.get(row[own], ()) if own < len(row) else ():
                if not self._is_within(number, child):
                    self._attach(child, number)
        self.roots = [number for number in range(len(rows)) if number not in self._parents]

    def _is_within(self, row: int, other: int) -> bool:
        """Whether a row is another one or stands below it."""
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
        """Each row, what is drawn in its first line, and what in those that continue it."""
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
