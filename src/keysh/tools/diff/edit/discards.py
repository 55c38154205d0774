"""Discard lines that have no match on the other side, or too many, before the search.

GNU diff does the same; its choice among equally good diffs depends on it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEPT, DISCARDED, PROVISIONAL = range(3)  # PROVISIONAL lines have many matches
# Near the ends of a run, PROVISIONAL lines are kept up to this many DISCARDED lines in a row, or
# one that is this far from the end.
END_DISCARD_COUNT = 3
NEAR_END_LINES = 8


def discard_marks(lines: Sequence[int], counts: Mapping[int, int]) -> bytearray:
    """Return a mark for each line; `counts` has the number of matches on the other side."""
    threshold = provisional_threshold(len(lines))
    marks = bytearray(len(lines))
    for i, line in enumerate(lines):
        count = counts.get(line, 0)
        if not count:
            marks[i] = DISCARDED
        elif count > threshold:
            marks[i] = PROVISIONAL
    start = 0
    while start < len(marks):
        if marks[start] != DISCARDED:
            marks[start] = KEPT  # no line is discarded before the first one without a match
            start += 1
            continue
        end = run_end(marks, start)
        run = marks[start:end]
        settle_run(run)
        marks[start:end] = run
        start = end
    return marks


def provisional_threshold(count: int) -> int:
    """Return the number of matches above which a line is provisional: about the square root."""
    threshold, rest = 5, count // 64 >> 2
    while rest > 0:
        threshold *= 2
        rest >>= 2
    return threshold


def run_end(marks: bytearray, start: int) -> int:
    """Return the end of a run of lines that may be discarded; its last line has no match."""
    kept = marks.find(KEPT, start)
    end = len(marks) if kept < 0 else kept
    return marks.rfind(DISCARDED, start, end) + 1


def settle_run(run: bytearray) -> None:
    """Decide on the provisional lines in a run that starts and ends with DISCARDED ones."""
    if run.count(PROVISIONAL) * 4 > len(run):
        keep_lines(run, range(len(run)))
    else:
        keep_long_runs(run)
        keep_near_end(run, range(len(run)))
        keep_near_end(run, range(len(run) - 1, -1, -1))
    run[:] = run.replace(bytes([PROVISIONAL]), bytes([DISCARDED]))


def keep_lines(run: bytearray, indexes: range) -> None:
    """Keep the provisional lines at these positions."""
    for i in indexes:
        if run[i] == PROVISIONAL:
            run[i] = KEPT


def keep_long_runs(run: bytearray) -> None:
    """Keep long runs of provisional lines: longer than about the root of a quarter of the run."""
    min_length, rest = 1, len(run) >> 4
    while rest > 0:
        min_length *= 2
        rest >>= 2
    min_length += 1
    start = 0
    while (start := run.find(PROVISIONAL, start)) >= 0:
        end = start
        while run[end] == PROVISIONAL:  # the last line of a run is DISCARDED
            end += 1
        if end - start >= min_length:
            keep_lines(run, range(start, end))
        start = end


def keep_near_end(run: bytearray, indexes: range) -> None:
    """Keep provisional lines near an end of the run."""
    row = 0
    for count, i in enumerate(indexes):
        if count >= NEAR_END_LINES and run[i] == DISCARDED:
            return
        if run[i] == DISCARDED:
            row += 1
        else:
            run[i] = KEPT
            row = 0
        if row == END_DISCARD_COUNT:
            return
