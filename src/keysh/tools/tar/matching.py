"""Matching: patterns of names, to leave members out and to ask for them."""

from __future__ import annotations

from keysh.text.pattern import Pattern
from keysh.vfs.paths import bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

VERSION_CONTROL = (
    "CVS", "RCS", "SCCS", ".git", ".gitignore", ".gitattributes", ".gitmodules", ".cvsignore",
    ".svn", ".arch-ids", "{arch}", "=RELEASE-ID", "=meta-update", "=update", ".bzr", ".bzrignore",
    ".bzrtags", ".hg", ".hgignore", ".hgtags", "_darcs",
)  # fmt: skip
BACKUPS = (".#*", "*~", "#*#")


class Manner:
    """How patterns match: from a name's begin only, with wildcards, over slashes, in any case.

    What is None has not been asked for, and is otherwise for members to leave out than for those
    that are asked for.
    """

    __slots__ = ("anchored", "folds", "slashes", "wild")

    def __init__(self) -> None:
        self.anchored: bool | None = None
        self.wild: bool | None = None
        self.slashes, self.folds = True, False


class Rule:
    """A pattern and how it matches: a name, or a directory above it."""

    __slots__ = ("_anchored", "_folds", "_goes_down", "_steps", "_text", "_whole")

    def __init__(
        self, text: str, manner: Manner, *, wild: bool, anchored: bool, goes_down: bool = True
    ) -> None:
        """Read a pattern; `wild` and `anchored` hold where nothing was asked for.

        `goes_down` says whether what is in a directory that it matches is matched too.
        """
        self._goes_down = goes_down
        text = bare(text)
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
            if self._begins(tail):
                return True
        return False

    def _begins(self, name: str) -> bool:
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


def pattern_of(text: str, manner: Manner) -> Pattern:
    return Pattern(text, extended=False, ignore_case=manner.folds)


def tails(name: str) -> Iterator[str]:
    """A name from each of its steps on; one in an archive may have half a million."""
    begin = 0
    while begin < len(name):
        yield name[begin:]
        begin = name.find("/", begin) + 1 or len(name)


def left_out(texts: Iterable[str], manner: Manner, *, goes_down: bool = True) -> list[Rule]:
    """The rules of patterns of what is left out."""
    return [Rule(text, manner, wild=True, anchored=False, goes_down=goes_down) for text in texts]


class Operand:
    """A name, and the directory it is seen from.

    `rule` is None for a name that is what is meant. `excluded` counts the rules of what is left out
    that stand before it, `goes_down` says whether what is in a directory is meant too.
    """

    __slots__ = ("excluded", "folder", "goes_down", "name", "rule")

    def __init__(
        self, name: str, folder: str, rule: Rule | None, excluded: int, *, goes_down: bool
    ) -> None:
        self.name, self.folder, self.rule, self.excluded = name, folder, rule, excluded
        self.goes_down = goes_down


class Exclusion:
    """What is left out."""

    __slots__ = ("_rules", "_tick")

    def __init__(self, rules: Sequence[Rule], tick: Callable[[], object]) -> None:
        self._rules, self._tick = rules, tick

    def covers(self, name: str) -> bool:
        """Whether a member is left out."""
        if not self._rules:
            return False
        name = bare(name)
        return any(rule.covers(name, self._tick) for rule in self._rules)


class Selection:
    """The names that are asked for, each with the directory it is seen from."""

    __slots__ = ("_found", "_plain", "_rules", "_tick", "wanted")

    def __init__(self, wanted: Sequence[Operand], tick: Callable[[], object]) -> None:
        self.wanted, self._tick = wanted, tick
        self._found: set[int] = set()
        self._plain: dict[str, int] = {}  # names as they are, of which there may be many
        self._rules: list[tuple[int, Rule]] = []
        for index, operand in enumerate(wanted):
            if operand.rule is not None:
                self._rules.append((index, operand.rule))
            else:
                self._plain.setdefault(bare(operand.name), index)

    def folder_of(self, name: str) -> str | None:
        """The directory of the first name that asks for a member; None where none does."""
        part = name = bare(name)
        first = len(self.wanted)
        while part:
            index = self._plain.get(part, first)
            if index < first and (part == name or self.wanted[index].goes_down):
                first = index
            part = part.rpartition("/")[0]
        for index, rule in self._rules:
            if index > first:
                break
            if rule.covers(name, self._tick):
                first = index
                break
        return self._taken(first) if first < len(self.wanted) else None

    def _taken(self, index: int) -> str:
        self._found.add(index)
        return self.wanted[index].folder

    def missing(self) -> list[str]:
        """The names that nothing was found for."""
        return [bare(one.name) for at, one in enumerate(self.wanted) if at not in self._found]
