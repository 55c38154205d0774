"""Edit scripts: the changes from one sequence of lines to another, as GNU diff finds them."""

from __future__ import annotations

from keysh.tools.diff.edit.discards import discard_marks
from keysh.tools.diff.edit.search import EditSearch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence


class Change:
    """Lines deleted at `old` and lines inserted at `new`; both count from 0."""

    __slots__ = ("deleted_count", "inserted_count", "new", "old")

    def __init__(self, old: int, deleted: int, new: int, inserted: int) -> None:
        self.old, self.deleted_count, self.new, self.inserted_count = old, deleted, new, inserted

    def __repr__(self) -> str:
        return f"<Change {self.old} -{self.deleted_count} {self.new} +{self.inserted_count}>"


def edit_script(
    old: Sequence[Hashable],
    new: Sequence[Hashable],
    tick: Callable[[], None],
    *,
    head: int = 0,
    tail: int = 0,
    is_minimal: bool = False,
) -> list[Change]:
    """Return the changes from one sequence to the other.

    The first `head` and the last `tail` lines are equal, and are not compared again.
    """
    numbers: dict[Hashable, int] = {}
    first, second = (
        [numbers.setdefault(line, len(numbers)) for line in lines[head : len(lines) - tail]]
        for lines in (old, new)
    )
    marks = change_marks(first, second, tick, is_minimal)
    shift_runs(first, *marks, tick)
    shift_runs(second, *marks[::-1], tick)
    return changes_from_marks(*marks, head)


def same_ends(old: Sequence[Hashable], new: Sequence[Hashable], spare: int) -> tuple[int, int]:
    """Return how many lines are equal at the start and at the end, less `spare` for each.

    Changes may still be shifted into the spare lines.
    """
    head = max(0, common_prefix(old, new) - spare)
    tail = common_prefix(old[head:][::-1], new[head:][::-1])
    return head, max(0, tail - spare)


def common_prefix(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    """Return the number of equal lines at the start, by bisection."""
    low, high = 0, min(len(old), len(new))
    if old[:high] == new[:high]:
        return high
    while high - low > 1:
        middle = (low + high) // 2
        if old[low:middle] == new[low:middle]:
            low = middle
        else:
            high = middle
    return low


def change_marks(
    old: list[int], new: list[int], tick: Callable[[], None], is_minimal: bool
) -> tuple[bytearray, bytearray]:
    """Return marks for deleted and inserted lines, each with an unset mark at its end."""
    marks = (bytearray(len(old) + 1), bytearray(len(new) + 1))
    sides = (old, new)
    places: list[list[int]] = []
    for lines, others, marked in zip(sides, sides[::-1], marks, strict=True):
        if not is_minimal:
            marked[: len(lines)] = discard_marks(lines, line_counts(others))
        places.append([i for i in range(len(lines)) if not marked[i]])
    first, second = ([sides[i][at] for at in places[i]] for i in (0, 1))
    search = EditSearch(first, second, tick)
    search.run(is_minimal=is_minimal)
    for marked, indexes, search_marks in zip(
        marks, places, (search.deleted, search.inserted), strict=True
    ):
        for i, is_marked in zip(indexes, search_marks, strict=True):
            marked[i] = is_marked
    return marks


def line_counts(lines: list[int]) -> dict[int, int]:
    """Count the occurrences of each line."""
    counts: dict[int, int] = {}
    for line in lines:
        counts[line] = counts.get(line, 0) + 1
    return counts


def shift_runs(
    lines: list[int], marks: bytearray, others: bytearray, tick: Callable[[], None]
) -> None:
    """Shift each run of marked lines down as far as equal lines permit, and merge runs that meet.

    A run is shifted back if it can then line up with a run on the other side. The unset mark at
    the end of the marks also serves as the one at index -1.
    """
    i = j = 0
    count = len(lines)
    while True:
        tick()
        while i < count and not marks[i]:
            while others[j]:
                j += 1
            i += 1
            j += 1
        if i == count:
            return
        start = i
        while marks[i]:
            i += 1
        while others[j]:
            j += 1
        i, j, start, aligned_end = merge_runs(lines, marks, others, (start, i, j), tick)
        while aligned_end < i:
            start -= 1
            i -= 1
            marks[start], marks[i] = 1, 0
            j -= 1
            while others[j]:
                j -= 1


def merge_runs(
    lines: list[int],
    marks: bytearray,
    others: bytearray,
    run: tuple[int, int, int],
    tick: Callable[[], None],
) -> tuple[int, int, int, int]:
    """Shift a run up and down until it meets no other run.

    Return its end, the position on the other side, its start, and the last end at which it lines
    up with a run on the other side, or the number of lines if there is none.
    """
    start, i, j = run
    count = len(lines)
    length = -1
    aligned_end = count
    while length != i - start:
        tick()
        length = i - start
        while start and lines[start - 1] == lines[i - 1]:
            start -= 1
            i -= 1
            marks[start], marks[i] = 1, 0
            while marks[start - 1]:
                start -= 1
            j -= 1
            while others[j]:
                j -= 1
        aligned_end = i if others[j - 1] else count
        while i < count and lines[start] == lines[i]:
            marks[start], marks[i] = 0, 1
            start += 1
            i += 1
            while marks[i]:
                i += 1
            j += 1
            while others[j]:
                aligned_end = i
                j += 1
    return i, j, start, aligned_end


def changes_from_marks(deleted: bytearray, inserted: bytearray, before: int) -> list[Change]:
    """Return the changes for the marks; `before` is the number of lines before them."""
    changes: list[Change] = []
    i = j = 0
    while i < len(deleted) or j < len(inserted):
        old, new = i, j
        while i < len(deleted) and deleted[i]:
            i += 1
        while j < len(inserted) and inserted[j]:
            j += 1
        if i > old or j > new:
            changes.append(Change(before + old, i - old, before + new, j - new))
        i += 1
        j += 1
    return changes
