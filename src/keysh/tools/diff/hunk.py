"""Hunks: changes that are shown together, with the lines around them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.tools.diff.edit.script import Change
    from keysh.tools.diff.rules import DiffOptions
    from keysh.tools.diff.side import DiffSide

MAX_FUNCTION_COLUMNS = 40  # columns that are shown of a line that names what follows
SPACE_CHARACTERS = " \t\v\f\r"


class LineComparison:
    """Two sides, the changes from one to the other, and those among them that do not count."""

    __slots__ = ("changes", "new", "old", "rules", "trivial_ids")

    def __init__(
        self, old: DiffSide, new: DiffSide, changes: list[Change], rules: DiffOptions
    ) -> None:
        self.old, self.new, self.changes, self.rules = old, new, changes, rules
        self.trivial_ids = {
            id(change)
            for change in (changes if rules.ignores_some_changes else ())
            if self._ignores(change)
        }

    @property
    def is_different(self) -> bool:
        """Whether there is a change that counts."""
        return len(self.trivial_ids) < len(self.changes)

    def significant_changes(self) -> Iterator[Change]:
        """The changes that count."""
        return (change for change in self.changes if id(change) not in self.trivial_ids)

    def deleted_lines(self, change: Change) -> list[str]:
        """The lines of the old side that a change takes away."""
        return self.old.lines[change.old : change.old + change.deleted_count]

    def inserted_lines(self, change: Change) -> list[str]:
        """The lines of the new side that it brings."""
        return self.new.lines[change.new : change.new + change.inserted_count]

    def hunks(self) -> Iterator[list[Change]]:
        """Changes that stand so near to each other that the lines around them touch.

        A hunk of changes that do not count is none.
        """
        near = self.rules.context
        hunk: list[Change] = []
        for change in self.changes:
            is_trivial = id(change) in self.trivial_ids
            if hunk:
                between = change.old - hunk[-1].old - hunk[-1].deleted_count
                if between >= (near if is_trivial else 2 * near + 1):
                    if any(id(one) not in self.trivial_ids for one in hunk):
                        yield hunk
                    hunk = []
            hunk.append(change)
        if any(id(one) not in self.trivial_ids for one in hunk):
            yield hunk

    def bounds(self, hunk: Sequence[Change]) -> tuple[int, int, int, int]:
        """Where a hunk begins and ends on both sides, with the lines around it."""
        first, last, near = hunk[0], hunk[-1], self.rules.context
        return (
            max(0, first.old - near),
            min(len(self.old.lines), last.old + last.deleted_count + near),
            max(0, first.new - near),
            min(len(self.new.lines), last.new + last.inserted_count + near),
        )

    def function_line_before(self, at: int, seen: int) -> str:
        """The last line from `seen` on before a place that names what follows it, behind a blank.

        Nothing if there is none.
        """
        functions, lines = self.rules.function_patterns, self.old.lines
        if not functions:
            return ""
        for i in range(at - 1, seen - 1, -1):
            bare = lines[i].removesuffix("\n")
            if any(regex.is_in(bare) for regex in functions):
                return f" {bare.lstrip(SPACE_CHARACTERS)[:MAX_FUNCTION_COLUMNS].rstrip(SPACE_CHARACTERS)}"
        return ""

    def _ignores(self, change: Change) -> bool:
        """Whether all lines of a change are blank, or look like what is ignored."""
        return all(map(self._is_trivial, self.deleted_lines(change))) and all(
            map(self._is_trivial, self.inserted_lines(change))
        )

    def _is_trivial(self, line: str) -> bool:
        rules, bare = self.rules, line.removesuffix("\n")
        if rules.blank_lines and not (
            bare.strip(SPACE_CHARACTERS) if rules.ignores_last_newline else bare
        ):
            return True
        return any(regex.is_in(bare) for regex in rules.ignored_lines)
