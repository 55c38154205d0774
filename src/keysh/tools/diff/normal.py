"""Normal diffs: a command such as `2,3c2`, then the old lines with `<`, the new with `>`."""

from __future__ import annotations

from keysh.tools.diff.line import marked_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.tools.diff.hunk import LineComparison


def normal_diff(comparison: LineComparison) -> Iterator[str]:
    """Return all significant changes."""
    rules = comparison.rules
    for change in comparison.significant_changes():
        letter = (
            "c"
            if change.deleted_count and change.inserted_count
            else "d"
            if change.deleted_count
            else "a"
        )
        old, new = (
            line_range(change.old, change.deleted_count),
            line_range(change.new, change.inserted_count),
        )
        yield f"{old}{letter}{new}\n"
        yield from marked_lines("<", comparison.deleted_lines(change), rules, gap=" ")
        if letter == "c":
            yield "---\n"
        yield from marked_lines(">", comparison.inserted_lines(change), rules, gap=" ")


def line_range(start: int, count: int) -> str:
    """Return a range of line numbers; for an empty range, the number of the line before it."""
    return f"{start + 1},{start + count}" if count > 1 else str(start + count)
