"""Context diffs: each hunk first in its old form, then in its new form."""

from __future__ import annotations

from keysh.tools.diff.line import marked_lines
from keysh.tools.diff.normal import line_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.tools.diff.hunk import LineComparison


def context_diff(comparison: LineComparison) -> Iterator[str]:
    """Return all hunks, without the titles of the files."""
    seen, function = 0, ""
    for hunk in comparison.hunks():
        old, old_end, new, new_end = comparison.bounds(hunk)
        function = comparison.function_line_before(old, seen) or function
        seen = old
        yield f"***************{function}\n"
        yield f"*** {line_range(old, old_end - old)} ****\n"
        if any(change.deleted_count for change in hunk):
            marked = [
                (change.old, change.deleted_count, "!" if change.inserted_count else "-")
                for change in hunk
            ]
            yield from context_half(comparison, comparison.old.lines, marked, (old, old_end))
        yield f"--- {line_range(new, new_end - new)} ----\n"
        if any(change.inserted_count for change in hunk):
            marked = [
                (change.new, change.inserted_count, "!" if change.deleted_count else "+")
                for change in hunk
            ]
            yield from context_half(comparison, comparison.new.lines, marked, (new, new_end))


def context_half(
    comparison: LineComparison,
    lines: list[str],
    marked: Sequence[tuple[int, int, str]],
    bounds: tuple[int, int],
) -> Iterator[str]:
    """Return one side of a hunk; `marked` has the start, length and mark of each change."""
    position, end = bounds
    for start, count, mark in marked:
        yield from marked_lines(" ", lines[position:start], comparison.rules, gap=" ")
        position = start + count
        yield from marked_lines(mark, lines[start:position], comparison.rules, gap=" ")
    yield from marked_lines(" ", lines[position:end], comparison.rules, gap=" ")
