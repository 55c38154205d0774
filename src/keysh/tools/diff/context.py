"""The context form: each hunk first as the old side has it, then as the new one does."""

from __future__ import annotations

from keysh.tools.diff.line import shown
from keysh.tools.diff.normal import span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.tools.diff.hunk import Comparison


def context(comparison: Comparison) -> Iterator[str]:
    """All hunks, without the names of the files."""
    seen, function = 0, ""
    for hunk in comparison.hunks():
        old, old_end, new, new_end = comparison.bounds(hunk)
        function = comparison.function_before(old, seen) or function
        seen = old
        yield f"***************{function}\n"
        yield f"*** {span(old, old_end - old)} ****\n"
        if any(change.deleted for change in hunk):
            marked = [
                (change.old, change.deleted, "!" if change.inserted else "-") for change in hunk
            ]
            yield from half(comparison, comparison.old.lines, marked, (old, old_end))
        yield f"--- {span(new, new_end - new)} ----\n"
        if any(change.inserted for change in hunk):
            marked = [
                (change.new, change.inserted, "!" if change.deleted else "+") for change in hunk
            ]
            yield from half(comparison, comparison.new.lines, marked, (new, new_end))


def half(
    comparison: Comparison,
    lines: list[str],
    marked: Sequence[tuple[int, int, str]],
    bounds: tuple[int, int],
) -> Iterator[str]:
    """A hunk as one side has it; `marked` says where its changes are, how long, and their marks."""
    at, end = bounds
    for start, count, mark in marked:
        yield from shown(" ", lines[at:start], comparison.rules, gap=" ")
        at = start + count
        yield from shown(mark, lines[start:at], comparison.rules, gap=" ")
    yield from shown(" ", lines[at:end], comparison.rules, gap=" ")
