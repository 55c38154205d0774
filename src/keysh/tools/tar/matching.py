"""Matching: patterns of names, to leave members out and to ask for them."""

from __future__ import annotations

from keysh.text.pattern import Pattern
from keysh.vfs.paths import without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

VERSION_CONTROL_NAMES = (
    "CVS", "RCS", "SCCS", ".git", ".gitignore", ".gitattributes", ".gitmodules", ".cvsignore",
    ".svn", ".arch-ids", "{arch}", "=RELEASE-ID", "=meta-update", "=update", ".bzr", ".bzrignore",
    ".bzrtags", ".hg", ".hgignore", ".hgtags", "_darcs",
)  # fmt: skip
BACKUP_PATTERNS = (".#*", "*~", "#*#")


class MatchStyle:
    """How patterns match: from a name's begin only, with wildcards, over slashes, in any case.

    What is None has not been asked for, and is otherwise for members to leave out than for those
    that are asked for.
    """

    __slots__ = ("anchored", "folds", "slashes", "wild")

    def __init__(self) -> None:
        self.anchored: bool | None = None
        self.wild: bool | None = None
        self.slashes, self.folds = True, False


class NameRule:
    """A pattern and how it matches: a name, or a directory above it."""

    __slots__ = ("_anchored", "_folds", "_goes_down", "_steps", "_text", "_whole")

    def __init__(
        self, text: str, manner: MatchStyle, *, wild: bool, anchored: bool, goes_down: bool = True
    ) -> None:
        """Read a pattern; `wild` and `anchored` hold where nothing was asked for.

        `goes_down` says whether what is in a directory that it matches is matched too.
        """
        self._goes_down = goes_down
        text = without_slash(text)
        wild = wild if manner.wild is None else manner.wild
        self._anchored = anchored if manner.anchored is None else manner.anchored
        self._folds = manner.folds
        self._text = text.lower() if manner.folds else text
        self._whole = pattern_of(text, manner) if wild else None
        self._steps = None
        if wild and not manner.slashes:
            self._steps = [pattern_of(step, manner) for step in text.split("/")]

    def covers(self, name: str, tick: Callable[[], object]) -> bool:
        """Whether it matches a name without a slash at its end."""
        for tail in (name,) if self._anchored else tails(name):
            tick()
            if self._matches_start(tail):
                return True
        return False

    def _matches_start(self, name: str) -> bool:
        """Whether it matches all of a name, or all up to some slash."""
        if self._steps is not None:
            steps = name.split("/", len(self._steps))
            pairs = zip(self._steps, steps, strict=False)
            return len(steps) >= len(self._steps) and all(one.matches(step) for one, step in pairs)
        if self._whole is None:
            name = name.lower() if self._folds else name
            return name == self._text or name.startswith(f"{self._text}/")
        while name:
            if self._whole.matches(name):
                return True
            if not self._goes_down:
                return False
            name = name.rpartition("/")[0]
        return False


def pattern_of(text: str, manner: MatchStyle) -> Pattern:
    return Pattern(text, extended=False, ignore_case=manner.folds)


def tails(name: str) -> Iterator[str]:
    """A name from each of its steps on; one in an archive may have half a million."""
    begin = 0
    while begin < len(name):
        yield name[begin:]
        begin = name.find("/", begin) + 1 or len(name)


def exclusion_rules(
    texts: Iterable[str], manner: MatchStyle, *, goes_down: bool = True
) -> list[NameRule]:
    """The rules of patterns of what is left out."""
    return [
        NameRule(text, manner, wild=True, anchored=False, goes_down=goes_down) for text in texts
    ]


class TarOperand:
    """A name, and the directory it is seen from.

    `rule` is None for a name that is what is meant. `excluded` counts the rules of what is left out
    that stand before it, `goes_down` says whether what is in a directory is meant too.
    """

    __slots__ = ("excluded", "folder", "goes_down", "name", "rule")

    def __init__(
        self, name: str, folder: str, rule: NameRule | None, excluded: int, *, goes_down: bool
    ) -> None:
        self.name, self.folder, self.rule, self.excluded = name, folder, rule, excluded
        self.goes_down = goes_down


class Exclusion:
    """What is left out."""

    __slots__ = ("_rules", "_tick")

    def __init__(self, rules: Sequence[NameRule], tick: Callable[[], object]) -> None:
        self._rules, self._tick = rules, tick

    def covers(self, name: str) -> bool:
        """Whether a member is left out."""
        if not self._rules:
            return False
        name = without_slash(name)
        return any(rule.covers(name, self._tick) for rule in self._rules)


class Selection:
    """The names that are asked for, each with the directory it is seen from."""

    __slots__ = ("_matched", "_plain", "_rules", "_tick", "operands")

    def __init__(self, wanted: Sequence[TarOperand], tick: Callable[[], object]) -> None:
        self.operands, self._tick = wanted, tick
        self._matched: set[int] = set()
        self._plain: dict[str, int] = {}  # names as they are, of which there may be many
        self._rules: list[tuple[int, NameRule]] = []
        for index, operand in enumerate(wanted):
            if operand.rule is not None:
                self._rules.append((index, operand.rule))
            else:
                self._plain.setdefault(without_slash(operand.name), index)

    def folder_of(self, name: str) -> str | None:
        """The directory of the first name that asks for a member; None where none does."""
        part = name = without_slash(name)
        first = len(self.operands)
        while part:
            index = self._plain.get(part, first)
            if index < first and (part == name or self.operands[index].goes_down):
                first = index
            part = part.rpartition("/")[0]
        for index, rule in self._rules:
            if index > first:
                break
            if rule.covers(name, self._tick):
                first = index
                break
        return self._mark_matched(first) if first < len(self.operands) else None

    def _mark_matched(self, index: int) -> str:
        self._matched.add(index)
        return self.operands[index].folder

    def missing(self) -> list[str]:
        """The names that nothing was found for."""
        return [
            without_slash(one.name)
            for at, one in enumerate(self.operands)
            if at not in self._matched
        ]
