"""The merged form: both sides as one text, each group of lines as a format says (`-D NAME`)."""

from __future__ import annotations

from keysh.commands.diff.group_format import Group

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.commands.diff.hunk import Comparison


def merged(comparison: Comparison) -> Iterator[str]:
    """All lines of both sides."""
    formats = comparison.rules.formats
    assert formats is not None
    old, new, rules = comparison.old.lines, comparison.new.lines, comparison.rules
    if rules.expand_tabs:
        old, new = ([line.expandtabs(rules.tab_size) for line in side] for side in (old, new))
    group = Group(old, new, formats.lines)
    for change in comparison.counting():
        if group.move(change.old, change.new):
            yield from group.shown(formats.groups["unchanged"])
        kind = ("changed" if change.inserted else "old") if change.deleted else "new"
        group.move(change.old + change.deleted, change.new + change.inserted)
        yield from group.shown(formats.groups[kind])
    if group.move(len(old), len(new)):
        yield from group.shown(formats.groups["unchanged"])
