"""The formats of the merged form: one for each kind of group, and of line in it."""

from __future__ import annotations

from keysh.tools.diff.group_format import group_pieces, line_pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

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

    __slots__ = ("groups", "lines")

    def __init__(self, groups: Mapping[str, str], lines: Mapping[str, str]) -> None:
        whole = {
            "unchanged": groups.get("unchanged", "%="),
            "old": groups.get("old", groups.get("changed", "%<")),
            "new": groups.get("new", groups.get("changed", "%>")),
        }
        whole["changed"] = groups.get("changed", whole["old"] + whole["new"])
        self.groups = {kind: group_pieces(text) for kind, text in whole.items()}
        self.lines = {kind: line_pieces(lines.get(kind, "%l\n")) for kind in LINE_KINDS}
