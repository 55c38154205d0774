"""Hunks: changes that are shown together, with the lines around them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.tools.diff.edit.script import Change
    from keysh.tools.diff.rules import Rules
    from keysh.tools.diff.side import Side

FUNCTION_WIDTH = 40  # columns that are shown of a line that names what follows
SPACE = " \t\v\f\r"


class Comparison:
    """Two sides, the changes from one to the other, and those among them that do not count."""

    __slots__ = ("changes", "new", "old", "rules", "trivial")

    def __init__(self, old: Side, new: Side, changes: list[Change], rules: Rules) -> None:
        self.old, self.new, self.changes, self.rules = old, new, changes, rules
        self.trivial = {
            id(change) for change in (changes if rules.may_ignore else ()) if self._ignores(change)
        }

    @property
    def differs(self) -> bool:
        """Whether there is a change that counts."""
        return len(self.trivial) < len(self.changes)

    def counting(self) -> Iterator[Change]:
        """The changes that count."""
        return (change for change in self.changes if id(change) not in self.trivial)

    def deleted(self, change: Change) -> list[str]:
        """The lines of the old side that a change takes away."""
        return self.old.lines[change.old : change.old + change.deleted]

    def inserted(self, change: Change) -> list[str]:
        """The lines of the new side that it brings."""
        return self.new.lines[change.new : change.new + change.inserted]

    def hunks(self) -> Iterator[list[Change]]:
        """Changes that stand so near to each other that the lines around them touch.

        A hunk of changes that do not count is none.
        """
        near = self.rules.context
        hunk: list[Change] = []
        for change in self.changes:
            is_trivial = id(change) in self.trivial
            if hunk:
                between = change.old - hunk[-1].old - hunk[-1].deleted
                if between >= (near if is_trivial else 2 * near + 1):
                    if any(id(one) not in self.trivial for one in hunk):
                        yield hunk
                    hunk = []
            hunk.append(change)
        if any(id(one) not in self.trivial for one in hunk):
            yield hunk

    def bounds(self, hunk: Sequence[Change]) -> tuple[int, int, int, int]:
        """Where a hunk begins and ends on both sides, with the lines around it."""
        first, last, near = hunk[0], hunk[-1], self.rules.context
        return (
            max(0, first.old - near),
            min(len(self.old.lines), last.old + last.deleted + near),
            max(0, first.new - near),
            min(len(self.new.lines), last.new + last.inserted + near),
        )

    def function_before(self, at: int, seen: int) -> str:
        """The last line from `seen` on before a place that names what follows it, behind a blank.

        Nothing if there is none.
        """
        functions, lines = self.rules.functions, self.old.lines
        if not functions:
            return ""
        for i in range(at - 1, seen - 1, -1):
            bare = lines[i].removesuffix("\n")
            if any(regex.is_in(bare) for regex in functions):
                return f" {bare.lstrip(SPACE)[:FUNCTION_WIDTH].rstrip(SPACE)}"
        return ""

    def _ignores(self, change: Change) -> bool:
        """Whether all lines of a change are blank, or look like what is ignored."""
        return all(map(self._is_trivial, self.deleted(change))) and all(
            map(self._is_trivial, self.inserted(change))
        )

    def _is_trivial(self, line: str) -> bool:
        rules, bare = self.rules, line.removesuffix("\n")
        if rules.blank_lines and not (bare.strip(SPACE) if rules.joins_last_line else bare):
            return True
        return any(regex.is_in(bare) for regex in rules.ignored)
