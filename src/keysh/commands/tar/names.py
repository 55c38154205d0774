"""Names: how tar shows, shortens and selects the names of members."""

from __future__ import annotations

from keysh.runtime.quoting import locale_quoted
from keysh.text.pattern import Pattern
from keysh.vfs.paths import bare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from keysh.runtime.call import Call

MEMBERS, TARGETS = "member names", "hard link targets"


def shown_name(name: str) -> str:
    """A name with the escapes of C for what is not printed, and for backslashes."""
    if name.isprintable() and "\\" not in name:
        return name
    return "'".join(locale_quoted(part)[1:-1] for part in name.split("'"))


class Safety:
    """Takes from names what would lead out of the directory, and tells of each such beginning."""

    __slots__ = ("_sh", "_told", "is_off")

    def __init__(self, sh: Call, *, is_off: bool) -> None:
        self._sh, self.is_off = sh, is_off
        self._told: set[tuple[str, str]] = set()

    def inside(self, name: str, what: str = MEMBERS) -> str:
        """The name without a slash at its front, and without all up to its last `..`."""
        if self.is_off:
            return name
        end = at = 0
        for step in name.split("/"):
            if step == "..":
                end = at + 2
            at += len(step) + 1
        while name[end : end + 1] == "/":
            end += 1
        if end:
            prefix = name[:end]
            if (prefix, what) not in self._told:
                self._told.add((prefix, what))
                says = f"Removing leading `{shown_name(prefix)}' from {what}"
                self._sh.err.write(f"{self._sh.name}: {says}\n")
        return name[end:] or "."


def without_steps(name: str, count: int) -> str:
    """A name without its first steps; empty where it has no more."""
    for _ in range(count):
        name = name.lstrip("/").partition("/")[2]
    return name.lstrip("/") if count else name


class Exclusion:
    """Patterns of what to leave out: each matches from any step of a name on, to any step."""

    __slots__ = ("_patterns", "_tick")

    def __init__(self, patterns: Iterable[str], tick: Callable[[], object]) -> None:
        self._tick = tick
        self._patterns = [Pattern(bare(text), extended=False) for text in patterns]

    def covers(self, name: str) -> bool:
        """Whether a member is left out."""
        if not self._patterns:
            return False
        name = bare(name)
        begin = 0
        while begin < len(name):
            self._tick()  # a name in an archive may have half a million steps
            tail = name[begin:]
            if any(matches(pattern, tail) for pattern in self._patterns):
                return True
            begin = name.find("/", begin) + 1 or len(name)
        return False


def matches(pattern: Pattern, name: str) -> bool:
    """Whether a pattern matches a name, or a directory above it."""
    while name:
        if pattern.matches(name):
            return True
        name = name.rpartition("/")[0]
    return False


class Selection:
    """The names that are asked for, each with the directory it is seen from."""

    __slots__ = ("_found", "_patterns", "_plain", "wanted")

    def __init__(self, wanted: Sequence[tuple[str, str, bool]]) -> None:
        self.wanted = wanted  # name, folder, whether it is a pattern
        self._found: set[int] = set()
        self._plain: dict[str, int] = {}
        self._patterns: list[tuple[int, Pattern]] = []
        for index, (name, _, is_pattern) in enumerate(wanted):
            if is_pattern:
                self._patterns.append((index, Pattern(bare(name), extended=False)))
            else:
                self._plain.setdefault(bare(name), index)

    def folder_of(self, name: str) -> str | None:
        """The directory of the first name that asks for a member; None where none does."""
        part = bare(name)
        while part:
            index = self._plain.get(part)
            if index is not None:
                self._found.add(index)
                return self.wanted[index][1]
            part = part.rpartition("/")[0]
        for index, pattern in self._patterns:
            if matches(pattern, bare(name)):
                self._found.add(index)
                return self.wanted[index][1]
        return None

    def missing(self) -> list[str]:
        """The names that nothing was found for."""
        return [name for at, (name, _, _) in enumerate(self.wanted) if at not in self._found]
