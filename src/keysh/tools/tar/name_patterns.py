"""Match member names: patterns to exclude, and names or patterns to select."""

from __future__ import annotations

from keysh.text.pattern import name_matcher
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
    """How patterns match: anchored, with wildcards, across slashes, ignoring case.

    None means not specified; the default then differs between exclusion and selection.
    """

    __slots__ = ("anchored", "folds", "slashes", "wild")

    def __init__(self) -> None:
        self.anchored: bool | None = None
        self.wild: bool | None = None
        self.slashes, self.folds = True, False


class NameRule:
    """A pattern that covers a name or a directory above it."""

    __slots__ = ("_anchored", "_folds", "_goes_down", "_steps", "_text", "_tick", "_whole")

    def __init__(
        self, text: str, style: MatchStyle, tick: Callable[[], object], *,
        wild: bool, anchored: bool, goes_down: bool = True,
    ) -> None:  # fmt: skip
        """Parse a pattern; `wild` and `anchored` are defaults for an unspecified style.

        `goes_down` says whether it also covers what is inside a directory that it matches.
        """
        self._goes_down, self._tick = goes_down, tick
        text = without_slash(text)
        wild = wild if style.wild is None else style.wild
        self._anchored = anchored if style.anchored is None else style.anchored
        self._folds = style.folds
        self._text = text.lower() if style.folds else text
        self._whole = name_matcher(text, tick, ignore_case=style.folds) if wild else None
        self._steps = None
        if wild and not style.slashes:
            self._steps = [
                name_matcher(step, tick, ignore_case=style.folds) for step in text.split("/")
            ]

    def covers(self, name: str) -> bool:
        """Whether it covers a name without a trailing slash."""
        for tail in (name,) if self._anchored else tails(name):
            self._tick()
            if self._matches_start(tail):
                return True
        return False

    def _matches_start(self, name: str) -> bool:
        """Whether it matches all of a name, or all up to some slash."""
        if self._steps is not None:
            steps = name.split("/", len(self._steps))
            pairs = zip(self._steps, steps, strict=False)
            return len(steps) >= len(self._steps) and all(matches(step) for matches, step in pairs)
        if self._whole is None:
            name = name.lower() if self._folds else name
            return name == self._text or name.startswith(f"{self._text}/")
        while name:
            if self._whole(name):
                return True
            if not self._goes_down:
                return False
            name = name.rpartition("/")[0]
        return False


def tails(name: str) -> Iterator[str]:
    """Yield the ends of a name that begin at each of its components, which may be many."""
    begin = 0
    while begin < len(name):
        yield name[begin:]
        begin = name.find("/", begin) + 1 or len(name)


def exclusion_rules(
    texts: Iterable[str], style: MatchStyle, tick: Callable[[], object], *, goes_down: bool = True
) -> list[NameRule]:
    """Return the rules for patterns to exclude."""
    return [
        NameRule(text, style, tick, wild=True, anchored=False, goes_down=goes_down)
        for text in texts
    ]


class TarOperand:
    """A name, and the directory that -C set for it.

    `rule` is None for a literal name. `excluded` is the number of exclusion rules given before it;
    `goes_down` says whether it selects the contents of a directory too.
    """

    __slots__ = ("excluded", "folder", "goes_down", "name", "rule")

    def __init__(
        self, name: str, folder: str, rule: NameRule | None, excluded: int, *, goes_down: bool
    ) -> None:
        self.name, self.folder, self.rule, self.excluded = name, folder, rule, excluded
        self.goes_down = goes_down


class Exclusion:
    """The rules for what to exclude."""

    __slots__ = ("_rules",)

    def __init__(self, rules: Sequence[NameRule]) -> None:
        self._rules = rules

    def covers(self, name: str) -> bool:
        """Whether a member is excluded."""
        if not self._rules:
            return False
        name = without_slash(name)
        return any(rule.covers(name) for rule in self._rules)


class Selection:
    """The names to select, each with its directory."""

    __slots__ = ("_matched", "_plain", "_rules", "operands")

    def __init__(self, operands: Sequence[TarOperand]) -> None:
        self.operands = operands
        self._matched: set[int] = set()
        self._plain: dict[str, int] = {}  # literal names, of which there may be many
        self._rules: list[tuple[int, NameRule]] = []
        for index, operand in enumerate(operands):
            if operand.rule is not None:
                self._rules.append((index, operand.rule))
            else:
                self._plain.setdefault(without_slash(operand.name), index)

    def folder_of(self, name: str) -> str | None:
        """Return the directory of the first operand that selects a member, or None."""
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
            if rule.covers(name):
                first = index
                break
        return self._mark_matched(first) if first < len(self.operands) else None

    def _mark_matched(self, index: int) -> str:
        self._matched.add(index)
        return self.operands[index].folder

    def missing(self) -> list[str]:
        """Return the names that matched no member."""
        return [
            without_slash(operand.name)
            for index, operand in enumerate(self.operands)
            if index not in self._matched
        ]
