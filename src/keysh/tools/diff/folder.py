"""Folders: the files of two directories, compared by their names."""

from __future__ import annotations

import errno

from keysh.text.chunks import bytes_of_text
from keysh.tools.diff.pair import EXIT_DIFFERENT, EXIT_TROUBLE, pair_row
from keysh.vfs.api import failure, identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from keysh.interp.state.call import Call
    from keysh.tools.diff.pair import FileComparer
    from keysh.tools.diff.rules import DiffOptions
    from keysh.vfs.api import Stat

    NamePair: TypeAlias = tuple[
        str | None, str | None
    ]  # of the two sides; None where there is none

MAX_DIRECTORY_DEPTH = 400  # directories inside one another


class DirectoryComparer:
    """What walks through two directories at once."""

    __slots__ = ("_comparer", "_rules", "_sh")

    def __init__(self, sh: Call, rules: DiffOptions, pairs: FileComparer) -> None:
        self._sh, self._rules, self._comparer = sh, rules, pairs

    def compare(
        self, old: str, new: str, missing: int = -1, above: tuple[tuple[int, int], ...] = ()
    ) -> Iterator[Any]:
        """Compare two directories; one of them, by its index, may be missing."""
        sh = self._sh
        above = above or (self._directory_identity(new if missing == 0 else old),)
        listed: list[set[str]] = []
        for i, folder in enumerate((old, new)):
            try:
                names = set() if i == missing else {e.name for e in sh.fs.list(sh.path(folder))}
            except OSError as error:
                self._comparer.report_error(folder, error)
                return
            listed.append({name for name in names if not self._is_excluded(name)})
        for pair in self._name_pairs(*listed, is_top=len(above) == 1):
            sh.tick()
            here, there = (found or pair[0] or pair[1] or "" for found in pair)
            paths = (child_path(old, here), child_path(new, there))
            if all(pair):
                yield from self._compare_child(paths, above)
                continue
            lacking = 1 if pair[0] else 0
            may = self._rules.empty_if_missing
            if may == "both" or (may == "first" and not lacking):
                yield from self._compare_child(paths, above, lacking)
                continue
            folder = (new, old)[lacking]
            row = {"folder": folder, "name": here, "what": "only"}
            yield from self._comparer.report(EXIT_DIFFERENT, f"Only in {folder}: {here}\n", row)

    def _name_pairs(self, old: set[str], new: set[str], *, is_top: bool) -> Iterator[NamePair]:
        """The names of both sides in order, those that belong together in one turn."""
        order = lowercase_name if self._rules.ignores_name_case else encoded_name
        at_least = order(self._rules.first_name) if is_top and self._rules.first_name else b""
        alike: dict[bytes, tuple[list[str], list[str]]] = {}
        for side, names in enumerate((old, new)):
            for name in sorted(names, key=encoded_name):
                alike.setdefault(order(name), ([], []))[side].append(name)
        for key in sorted(alike):
            if key >= at_least:
                yield from pair_names(*alike[key])

    def _directory_identity(self, folder: str) -> tuple[int, int]:
        """What tells a directory from all others."""
        return identity(self._sh.fs.stat(self._sh.path(folder), follow=True))

    def _is_excluded(self, name: str) -> bool:
        return any(pattern.matches(name) for pattern in self._rules.excluded_names)

    def _compare_child(
        self, paths: tuple[str, str], above: tuple[tuple[int, int], ...], missing: int = -1
    ) -> Iterator[Any]:
        """Compare what stands in both directories under one name, or in one of them."""
        sh, pairs = self._sh, self._comparer
        found: list[Stat] = []
        for i, path in enumerate(paths):
            if i == missing:
                continue
            try:
                found.append(sh.fs.stat(sh.path(path), follow=self._rules.follows_links))
            except OSError as error:
                pairs.report_error(path, error)
        if len(found) < (2 if missing < 0 else 1):
            return
        first, second = found[0], found[-1]
        if first.is_directory and second.is_directory:
            yield from self._compare_subdirectories(paths, first, missing, above)
        elif first.is_file and second.is_file:
            yield from pairs.compare(paths, pairs.heading(paths), missing)
        elif first.is_link and second.is_link:
            yield from pairs.compare_links(paths)
        else:
            yield from pairs.report_types(paths, (first, second))

    def _compare_subdirectories(
        self, paths: tuple[str, str], stat: Stat, missing: int, above: tuple[tuple[int, int], ...]
    ) -> Iterator[Any]:
        """Go down into two directories, or say that both are there."""
        if not self._rules.recursive:
            says = f"Common subdirectories: {paths[0]} and {paths[1]}\n"
            yield from self._comparer.report(0, says, pair_row("directories", paths))
            return
        mark = identity(stat)
        if (stat.inode and mark in above) or len(above) > MAX_DIRECTORY_DEPTH:
            if len(above) > MAX_DIRECTORY_DEPTH:
                self._comparer.report_error(paths[0], failure(errno.ELOOP, paths[0]))
            else:
                self._sh.warn(f"{paths[0]}: recursive directory loop", EXIT_TROUBLE)
                self._comparer.status = EXIT_TROUBLE
            return
        yield from self.compare(*paths, missing, (*above, mark))


def child_path(folder: str, name: str) -> str:
    """A name in a directory."""
    return f"{folder.rstrip('/')}/{name}" if folder else name


def encoded_name(name: str) -> bytes:
    """What names are put in order by."""
    return bytes_of_text(name)


def lowercase_name(name: str) -> bytes:
    """What names are put in order by where small letters and capitals are one."""
    return encoded_name(name).lower()


def pair_names(old: list[str], new: list[str]) -> Iterator[NamePair]:
    """Names that are alike but for case: those that are the same belong together before others."""
    while old and new:
        one, other = old[0], new[0]
        if one != other and encoded_name(one) < encoded_name(other) and other in old:
            one = other
        elif one != other and encoded_name(one) > encoded_name(other) and one in new:
            other = one
        old.remove(one)
        new.remove(other)
        yield one, other
    yield from ((name, None) for name in old)
    yield from ((None, name) for name in new)
