"""Diffs for programs: ed scripts and RCS diffs."""

from __future__ import annotations

from keysh.tools.diff.normal import line_range

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.tools.diff.edit.script import Change
    from keysh.tools.diff.hunk import LineComparison

DOT_LINE_SCRIPT = "..\n.\ns/.//\n"  # adds a line that is a lone dot, which would end ed's input


def ed_script(comparison: LineComparison) -> Iterator[str]:
    """Return an ed script: the last change comes first, so that line numbers stay valid."""
    for change in reversed(list(comparison.significant_changes())):
        yield f"{line_range(change.old, change.deleted_count)}{change_letter(change)}\n"
        is_inserting = True
        for line in comparison.inserted_lines(change):
            if not is_inserting:
                yield "a\n"
            is_inserting = line != ".\n"
            yield line if is_inserting else DOT_LINE_SCRIPT
        if change.inserted_count and is_inserting:
            yield ".\n"


def forward_ed_script(comparison: LineComparison) -> Iterator[str]:
    """Return the commands of an ed script in the order of the file, which ed itself cannot run."""
    for change in comparison.significant_changes():
        place = line_range(change.old, change.deleted_count).replace(",", " ")
        yield f"{change_letter(change)}{place}\n"
        yield from comparison.inserted_lines(change)
        if change.inserted_count:
            yield ".\n"


def rcs_diff(comparison: LineComparison) -> Iterator[str]:
    """Return an RCS diff: deletions and insertions with their numbers of lines."""
    for change in comparison.significant_changes():
        if change.deleted_count:
            yield f"d{change.old + 1} {change.deleted_count}\n"
        if change.inserted_count:
            yield f"a{change.old + change.deleted_count} {change.inserted_count}\n"
            yield from comparison.inserted_lines(change)


def change_letter(change: Change) -> str:
    """Return c, d or a: a change, a deletion or an addition."""
    return ("c" if change.inserted_count else "d") if change.deleted_count else "a"
