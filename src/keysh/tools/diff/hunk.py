"""Hunks: groups of nearby changes with the lines around them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.tools.diff.edit.script import Change
    from keysh.tools.diff.rules import DiffOptions
    from keysh.tools.diff.side import DiffSide

MAX_FUNCTION_COLUMNS = 40  # of the line that --show-function-line shows
SPACE_CHARACTERS = " \t\v\f\r"


class LineComparison:
    """The changes between two files, and which of them the options ignore."""

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
        """Whether any change is significant."""
        return len(self.trivial_ids) < len(self.changes)

    def significant_changes(self) -> Iterator[Change]:
        """Return the changes that are not ignored."""
        return (change for change in self.changes if id(change) not in self.trivial_ids)

    def deleted_lines(self, change: Change) -> list[str]:
        """Return the lines of the old file that a change deletes."""
        return self.old.lines[change.old : change.old + change.deleted_count]

    def inserted_lines(self, change: Change) -> list[str]:
        """Return the lines of the new file that a change inserts."""
        return self.new.lines[change.new : change.new + change.inserted_count]

    def hunks(self) -> Iterator[list[Change]]:
        """Yield groups of changes whose context lines touch.

        Groups of ignored changes only are left out.
        """
        context_lines = self.rules.context
        hunk: list[Change] = []
        for change in self.changes:
            is_trivial = id(change) in self.trivial_ids
            if hunk:
                between = change.old - hunk[-1].old - hunk[-1].deleted_count
                if between >= (context_lines if is_trivial else 2 * context_lines + 1):
                    if any(id(member) not in self.trivial_ids for member in hunk):
                        yield hunk
                    hunk = []
            hunk.append(change)
        if any(id(member) not in self.trivial_ids for member in hunk):
            yield hunk

    def bounds(self, hunk: Sequence[Change]) -> tuple[int, int, int, int]:
        """Return the start and end of a hunk in the old and the new file, context included."""
        first, last, context_lines = hunk[0], hunk[-1], self.rules.context
        return (
            max(0, first.old - context_lines),
            min(len(self.old.lines), last.old + last.deleted_count + context_lines),
            max(0, first.new - context_lines),
            min(len(self.new.lines), last.new + last.inserted_count + context_lines),
        )

    def function_line_before(self, position: int, seen: int) -> str:
        """Return the last matching line from `seen` up to `position`, after a space, or ""."""
        patterns, lines = self.rules.function_patterns, self.old.lines
        if not patterns:
            return ""
        for i in range(position - 1, seen - 1, -1):
            bare = lines[i].removesuffix("\n")
            if any(regex.is_in(bare) for regex in patterns):
                shown = bare.lstrip(SPACE_CHARACTERS)[:MAX_FUNCTION_COLUMNS]
                return f" {shown.rstrip(SPACE_CHARACTERS)}"
        return ""

    def _ignores(self, change: Change) -> bool:
        """Whether all lines of a change are blank, or match --ignore-matching-lines."""
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
