"""The forms that programs read: scripts for ed, the same forward, and those of RCS."""

from __future__ import annotations

from keysh.tools.diff.normal import span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.tools.diff.edit.script import Change
    from keysh.tools.diff.hunk import Comparison

INSERTED_DOT = "..\n.\ns/.//\n"  # ed ends its insertion at a line that is a dot


def ed(comparison: Comparison) -> Iterator[str]:
    """A script for ed: from the last change to the first, so that no line's number moves."""
    for change in reversed(list(comparison.counting())):
        yield f"{span(change.old, change.deleted)}{letter_of(change)}\n"
        is_inserting = True
        for line in comparison.inserted(change):
            if not is_inserting:
                yield "a\n"
            is_inserting = line != ".\n"
            yield line if is_inserting else INSERTED_DOT
        if change.inserted and is_inserting:
            yield ".\n"


def forward_ed(comparison: Comparison) -> Iterator[str]:
    """The changes of ed's script in the order of the file, which ed itself cannot take."""
    for change in comparison.counting():
        place = span(change.old, change.deleted).replace(",", " ")
        yield f"{letter_of(change)}{place}\n"
        yield from comparison.inserted(change)
        if change.inserted:
            yield ".\n"


def rcs(comparison: Comparison) -> Iterator[str]:
    """The form of RCS: deletions and insertions, each with the number of its lines."""
    for change in comparison.counting():
        if change.deleted:
            yield f"d{change.old + 1} {change.deleted}\n"
        if change.inserted:
            yield f"a{change.old + change.deleted} {change.inserted}\n"
            yield from comparison.inserted(change)


def letter_of(change: Change) -> str:
    """Whether a change changes, deletes or adds."""
    return ("c" if change.inserted else "d") if change.deleted else "a"
