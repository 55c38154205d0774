"""The merged form: both sides as one text, each group of lines as a format says (`-D NAME`)."""

from __future__ import annotations

from keysh.commands.diff.group_format import Group, group_pieces, line_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keysh.commands.diff.hunk import Comparison

LINE_KINDS = ("unchanged", "old", "new")
GROUP_KINDS = ("unchanged", "old", "new", "changed")


def ifdef(name: str) -> dict[str, str]:
    """The formats of groups that make `#ifdef NAME` of what differs."""
    end = f"#endif /* {name} */\n"
    return {
        "unchanged": "%=",
        "old": f"#ifndef {name}\n%<#endif /* ! {name} */\n",
        "new": f"#ifdef {name}\n%>{end}",
        "changed": f"#ifndef {name}\n%<#else /* {name} */\n%>{end}",
    }


class Formats:
    """The formats of groups and of the lines in them; one that is not given follows the others."""

    __slots__ = ("_groups", "_lines")

    def __init__(self, groups: Mapping[str, str], lines: Mapping[str, str]) -> None:
        whole = {
            "unchanged": groups.get("unchanged", "%="),
            "old": groups.get("old", groups.get("changed", "%<")),
            "new": groups.get("new", groups.get("changed", "%>")),
        }
        whole["changed"] = groups.get("changed", whole["old"] + whole["new"])
        self._groups = {kind: group_pieces(text) for kind, text in whole.items()}
        self._lines = {kind: line_pieces(lines.get(kind, "%l\n")) for kind in LINE_KINDS}

    def merged(self, comparison: Comparison) -> Iterator[str]:
        """All lines of both sides."""
        old, new, rules = comparison.old.lines, comparison.new.lines, comparison.rules
        if rules.expand_tabs:
            old, new = ([line.expandtabs(rules.tab_size) for line in side] for side in (old, new))
        group = Group(old, new, self._lines)
        for change in comparison.counting():
            if group.move(change.old, change.new):
                yield from group.shown(self._groups["unchanged"])
            kind = ("changed" if change.inserted else "old") if change.deleted else "new"
            group.move(change.old + change.deleted, change.new + change.inserted)
            yield from group.shown(self._groups[kind])
        if group.move(len(old), len(new)):
            yield from group.shown(self._groups["unchanged"])
