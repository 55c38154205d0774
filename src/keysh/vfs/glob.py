"""Globs: the paths that match a pattern. Matching of names is the caller's; this walks directories.

A pattern is a list of steps, the strings between its slashes:

    src/**/*.py   ["src", ANY_DEPTH, StepPattern]     /v/[ab]   ["", "v", StepPattern]
    ./*           [".", StepPattern]                  */        [StepPattern, ""]
"""

from __future__ import annotations

import stat as kinds

from keysh.diagnostics.exceptions import GlobLimit
from keysh.vfs.paths import join, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TypeAlias

    from keysh.vfs.api import Entry
    from keysh.vfs.router import Router

    Step: TypeAlias = "str | StepPattern | AnyDepth"


ENTRIES_PER_TICK = 1024


class StepPattern:
    """A step that is a pattern; `hidden` decides about names that begin with a dot."""

    __slots__ = ("hidden", "matches")

    def __init__(
        self, matches: Callable[[str], bool], hidden: Callable[[str], bool] | None = None
    ) -> None:
        self.matches, self.hidden = matches, hidden


class AnyDepth:
    """The step `**`: a directory and everything below it, but nothing through links."""

    __slots__ = ("shows_hidden",)

    def __init__(self, shows_hidden: bool = False) -> None:
        self.shows_hidden = shows_hidden


ANY_DEPTH, ALL_AT_ANY_DEPTH = AnyDepth(), AnyDepth(shows_hidden=True)


def glob(
    fs: Router,
    steps: Sequence[Step],
    cwd: str,
    *,
    most_results: int | None = None,
    most_entries: int | None = None,
    tick: Callable[[], object] | None = None,
) -> list[str]:
    """Return the paths that match, each once, sorted by bytes, written as in the pattern.

    What cannot be read matches nothing. Raises GlobLimit if there are more results than allowed, or
    if more directory entries were read. `tick` is called regularly and may raise.
    """
    search = GlobSearch(fs, cwd, most_entries, tick)
    steps = simplified_steps(steps)
    # Step by step, each for all paths: a long pattern needs no recursion.
    prefixes, is_literal = [""], True
    for index, step in enumerate(steps[:-1]):
        if isinstance(step, str):
            prefixes = [f"{prefix}{step}/" for prefix in prefixes]
            continue
        is_literal = False
        if isinstance(step, StepPattern):
            prefixes = [f"{path}/" for path in search.matching(step, prefixes, may_be_directory)]
        else:
            # `**/x` finds nothing through links, but `**/` includes links to directories.
            wanted = may_be_directory if steps[index + 1 :] == [""] else is_directory
            found = search.below(step, prefixes, wanted)
            prefixes = [*dict.fromkeys(path and f"{without_slash(path)}/" for path in found)]
    results = set()
    for path in search.ends(steps[-1], prefixes, is_literal):
        results.add(path)
        if most_results is not None and len(results) > most_results:
            raise GlobLimit("results", most_results)
    return sorted(results, key=path_bytes)


def simplified_steps(steps: Sequence[Step]) -> list[Step]:
    """Return a pattern's steps; `**/**` is `**`, and after a pattern `//` is `/`."""
    simplified: list[Step] = []
    is_literal = True
    for index, step in enumerate(steps):
        is_literal = is_literal and isinstance(step, str)
        is_repeated = isinstance(step, AnyDepth) and simplified[-1:] == [step]
        is_empty = step == "" and index < len(steps) - 1 and not is_literal
        if not is_repeated and not is_empty:
            simplified.append(step)
    return simplified


class GlobSearch:
    """Reads directories for one pattern and counts their entries.

    A prefix is the path so far: empty, or ending in `/`.
    """

    __slots__ = ("_cwd", "_fs", "_entry_count", "_most", "_tick")

    def __init__(
        self, fs: Router, cwd: str, most: int | None, tick: Callable[[], object] | None
    ) -> None:
        self._fs, self._cwd, self._most, self._tick = fs, cwd, most, tick
        self._entry_count = 0

    def matching(
        self, step: StepPattern, prefixes: Iterable[str], accepts: Callable[[Entry], bool]
    ) -> Iterator[str]:
        """Yield the entries of directories that match and are accepted."""
        matches, hidden, tick = step.matches, step.hidden, self._tick
        for prefix in prefixes:
            for at, entry in enumerate(self._entries(prefix) or ()):
                if tick and at % ENTRIES_PER_TICK == 0:
                    tick()
                name = entry.name
                fits = matches if name[0] != "." else hidden
                if fits and fits(name) and accepts(entry):
                    yield prefix + name

    def below(
        self, step: AnyDepth, prefixes: Iterable[str], accepts: Callable[[Entry], bool]
    ) -> Iterator[str]:
        """Yield each prefix that can be read, and the accepted entries at any depth below it."""
        seen: set[str] = set()
        for start in prefixes:
            pending = [start]
            while pending:
                prefix = pending.pop()
                entries = [] if prefix in seen else self._entries(prefix)
                if entries is None:
                    continue
                seen.add(prefix)
                if prefix == start:
                    yield start
                for entry in entries:
                    name = entry.name
                    if name[0] == "." and not step.shows_hidden:
                        continue
                    if accepts(entry):
                        yield prefix + name
                    if is_directory(entry):
                        pending.append(f"{prefix}{name}/")

    def ends(self, step: Step, prefixes: Iterable[str], is_literal: bool) -> Iterator[str]:
        """Yield the whole paths for the pattern's last step."""
        if isinstance(step, StepPattern):
            yield from self.matching(step, prefixes, is_any_entry)
        elif isinstance(step, AnyDepth):
            for path in self.below(step, prefixes, is_any_entry):
                # The directory itself matches too: `a/**` finds `a/`, but `*/**` finds `a`.
                if path:
                    yield path if is_literal else without_slash(path)
        else:
            for prefix in prefixes:
                if self._is_there(prefix, step):
                    yield prefix + step

    def _entries(self, prefix: str) -> list[Entry] | None:
        """Return a directory's entries; None if it cannot be read."""
        if self._tick:
            self._tick()
        try:
            entries = [*self._fs.list(self._path(prefix))]
        except OSError:
            return None
        self._entry_count += len(entries)
        if self._most is not None and self._entry_count > self._most:
            raise GlobLimit("entries", self._most)
        return entries

    def _is_there(self, prefix: str, name: str) -> bool:
        try:
            if name:
                self._fs.stat(self._path(prefix + name))
                return True
            return bool(prefix) and self._fs.stat(self._path(prefix), follow=True).is_directory
        except OSError:
            return False

    def _path(self, path: str) -> str:
        return without_slash(join(self._cwd, path)) if path else self._cwd


def is_any_entry(entry: Entry) -> bool:
    return True


def is_directory(entry: Entry) -> bool:
    return entry.kind == kinds.S_IFDIR


def may_be_directory(entry: Entry) -> bool:
    """Whether an entry is a directory, or a link that may lead to one."""
    return entry.kind in (kinds.S_IFDIR, kinds.S_IFLNK)


def path_bytes(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
