"""The unified form: lines of both sides in one list, behind a blank, `-` or `+`."""

from __future__ import annotations

from keysh.commands.diff.line import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.commands.diff.hunk import Comparison


def unified(comparison: Comparison) -> Iterator[str]:
    """All hunks, without the names of the files."""
    lines, rules = comparison.old.lines, comparison.rules
    seen, function = 0, ""
    blank = "" if rules.initial_tab else " "
    for hunk in comparison.hunks():
        old, old_end, new, new_end = comparison.bounds(hunk)
        function = comparison.function_before(old, seen) or function
        seen = old
        yield f"@@ -{span(old, old_end)} +{span(new, new_end)} @@{function}\n"
        at = old
        for change in hunk:
            yield from shown(blank, lines[at : change.old], rules)
            yield from shown("-", comparison.deleted(change), rules)
            yield from shown("+", comparison.inserted(change), rules)
            at = change.old + change.deleted
        yield from shown(blank, lines[at:old_end], rules)


def span(start: int, end: int) -> str:
    """The number of the first line and how many there are, which is left out for one."""
    count = end - start
    return f"{start},0" if not count else f"{start + 1},{count}" if count > 1 else str(end)
