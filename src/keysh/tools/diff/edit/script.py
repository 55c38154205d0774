"""Edit scripts: the changes that make one sequence of lines into another, as GNU diff has them."""

from __future__ import annotations

from keysh.tools.diff.edit.discards import discard_marks
from keysh.tools.diff.edit.search import EditSearch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence


class Change:
    """Lines deleted from `old` on, and lines inserted from `new` on; both count from 0."""

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
    """The changes from one sequence to the other.

    So many lines at the head and the tail are equal, and left out of the comparison.
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
    """How many lines are equal at the head and at the tail, without as many at each as `spare`.

    Into those that are spared, changes can be moved.
    """
    head = max(0, common_prefix(old, new) - spare)
    tail = common_prefix(old[head:][::-1], new[head:][::-1])
    return head, max(0, tail - spare)


def common_prefix(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    """How many lines are equal from the first on: found by halves, each compared at once."""
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
    """Which lines are deleted and which inserted; one more at the end of each never is."""
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
    for marked, where, found in zip(marks, places, (search.deleted, search.inserted), strict=True):
        for i, is_marked in zip(where, found, strict=True):
            marked[i] = is_marked
    return marks


def line_counts(lines: list[int]) -> dict[int, int]:
    """How often each line stands there."""
    counts: dict[int, int] = {}
    for line in lines:
        counts[line] = counts.get(line, 0) + 1
    return counts


def shift_runs(
    lines: list[int], marks: bytearray, others: bytearray, tick: Callable[[], None]
) -> None:
    """Move each run of marked lines as far down as equal lines let it, and join runs that meet.

    But where it can stand beside a run of the other side, it does. At the end of the marks is one
    that is never set, which an index of -1 finds too.
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
        i, j, start, beside = merge_runs(lines, marks, others, (start, i, j), tick)
        while beside < i:
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
    """Move a run up and down until it meets no other any more.

    Answers its end, the place on the other side, its start, and where it could end beside a run of
    the other side: past the last line where it nowhere can.
    """
    start, i, j = run
    count = len(lines)
    length = -1
    beside = count
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
        beside = i if others[j - 1] else count
        while i < count and lines[start] == lines[i]:
            marks[start], marks[i] = 0, 1
            start += 1
            i += 1
            while marks[i]:
                i += 1
            j += 1
            while others[j]:
                beside = i
                j += 1
    return i, j, start, beside


def changes_from_marks(deleted: bytearray, inserted: bytearray, before: int) -> list[Change]:
    """The changes that the marks say, `before` being how many lines stand in front of them."""
    found: list[Change] = []
    i = j = 0
    while i < len(deleted) or j < len(inserted):
        old, new = i, j
        while i < len(deleted) and deleted[i]:
            i += 1
        while j < len(inserted) and inserted[j]:
            j += 1
        if i > old or j > new:
            found.append(Change(before + old, i - old, before + new, j - new))
        i += 1
        j += 1
    return found
