"""The normal form: `2,3c2`, the lines of the old side behind `<`, those of the new behind `>`."""

from __future__ import annotations

from keysh.tools.diff.line import shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.tools.diff.hunk import Comparison


def normal(comparison: Comparison) -> Iterator[str]:
    """All changes that count."""
    rules = comparison.rules
    for change in comparison.counting():
        letter = "c" if change.deleted and change.inserted else "d" if change.deleted else "a"
        old, new = span(change.old, change.deleted), span(change.new, change.inserted)
        yield f"{old}{letter}{new}\n"
        yield from shown("<", comparison.deleted(change), rules, gap=" ")
        if letter == "c":
            yield "---\n"
        yield from shown(">", comparison.inserted(change), rules, gap=" ")


def span(start: int, count: int) -> str:
    """The numbers of the first and the last line; of none, that of the line before."""
    return f"{start + 1},{start + count}" if count > 1 else str(start + count)
