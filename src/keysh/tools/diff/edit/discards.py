"""Discards: lines to compare no further, for the other side has none that equal them, or very many.

GNU's diff does so, and which lines it takes for equal where there is a choice depends on it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

KEPT, DISCARDED, PROVISIONAL = range(3)  # MAYBE stands for lines with many equal ones
END_DISCARD_COUNT = 3  # lines in a row that are OUT: from there on those between may be, too
NEAR_END_LINES = 8  # lines from the end of a run, behind which one is enough


def discard_marks(lines: Sequence[int], counts: Mapping[int, int]) -> bytearray:
    """For each line whether it is OUT; `counts` has how often lines stand on the other side."""
    many = provisional_threshold(len(lines))
    found = bytearray(len(lines))
    for i, line in enumerate(lines):
        count = counts.get(line, 0)
        if not count:
            found[i] = DISCARDED
        elif count > many:
            found[i] = PROVISIONAL
    start = 0
    while start < len(found):
        if found[start] != DISCARDED:
            found[start] = KEPT  # no line is left out before one that surely is
            start += 1
            continue
        end = run_end(found, start)
        run = found[start:end]
        settle_run(run)
        found[start:end] = run
        start = end
    return found


def provisional_threshold(count: int) -> int:
    """How many equal lines are not yet many: about the square root of all lines."""
    many, left = 5, count // 64 >> 2
    while left > 0:
        many *= 2
        left >>= 2
    return many


def run_end(found: bytearray, start: int) -> int:
    """Where the run of lines that may be left out ends; the last of them surely is."""
    kept = found.find(KEPT, start)
    end = len(found) if kept < 0 else kept
    return found.rfind(DISCARDED, start, end) + 1


def settle_run(run: bytearray) -> None:
    """Settle a run that begins and ends with lines that are OUT: each MAYBE is kept or is OUT."""
    if run.count(PROVISIONAL) * 4 > len(run):
        keep_lines(run, range(len(run)))
    else:
        keep_long_runs(run)
        keep_near_end(run, range(len(run)))
        keep_near_end(run, range(len(run) - 1, -1, -1))
    run[:] = run.replace(bytes([PROVISIONAL]), bytes([DISCARDED]))


def keep_lines(run: bytearray, places: range) -> None:
    """Keep the lines of these places that may be left out."""
    for i in places:
        if run[i] == PROVISIONAL:
            run[i] = KEPT


def keep_long_runs(run: bytearray) -> None:
    """Keep rows of lines that may be left out where they are long: the root of a quarter."""
    long, left = 1, len(run) >> 4
    while left > 0:
        long *= 2
        left >>= 2
    long += 1
    start = 0
    while (start := run.find(PROVISIONAL, start)) >= 0:
        end = start
        while run[end] == PROVISIONAL:  # the last line of a run is OUT
            end += 1
        if end - start >= long:
            keep_lines(run, range(start, end))
        start = end


def keep_near_end(run: bytearray, places: range) -> None:
    """Keep what may be left out near an end of the run, which is not sure to be all OUT."""
    row = 0
    for count, i in enumerate(places):
        if count >= NEAR_END_LINES and run[i] == DISCARDED:
            return
        if run[i] == DISCARDED:
            row += 1
        else:
            run[i] = KEPT
            row = 0
        if row == END_DISCARD_COUNT:
            return
