"""Compare the files of two directories by name."""

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

    # The old and the new name; None if a side has no such file.
    NamePair: TypeAlias = tuple[str | None, str | None]

MAX_DIRECTORY_DEPTH = 400


class DirectoryComparer:
    """Walks through two directories at once."""

    __slots__ = ("_comparer", "_rules", "_sh")

    def __init__(self, sh: Call, rules: DiffOptions, comparer: FileComparer) -> None:
        self._sh, self._rules, self._comparer = sh, rules, comparer

    def compare(
        self, old: str, new: str, missing: int = -1, parents: tuple[tuple[int, int], ...] = ()
    ) -> Iterator[Any]:
        """Compare two directories; `missing` is the index of one that does not exist, or -1."""
        sh = self._sh
        parents = parents or (self._directory_identity(new if missing == 0 else old),)
        names_of_sides: list[set[str]] = []
        for i, directory in enumerate((old, new)):
            try:
                names = set() if i == missing else {e.name for e in sh.fs.list(sh.path(directory))}
            except OSError as error:
                self._comparer.report_error(directory, error)
                return
            names_of_sides.append({name for name in names if not self._is_excluded(name)})
        for name_pair in self._name_pairs(*names_of_sides, is_top=len(parents) == 1):
            sh.tick()
            name, other_name = (side or name_pair[0] or name_pair[1] or "" for side in name_pair)
            paths = (child_path(old, name), child_path(new, other_name))
            if all(name_pair):
                yield from self._compare_child(paths, parents)
                continue
            missing_index = 1 if name_pair[0] else 0
            empty_if_missing = self._rules.empty_if_missing
            if empty_if_missing == "both" or (empty_if_missing == "first" and not missing_index):
                yield from self._compare_child(paths, parents, missing_index)
                continue
            directory = (new, old)[missing_index]
            row = {"folder": directory, "name": name, "what": "only"}
            yield from self._comparer.report(EXIT_DIFFERENT, f"Only in {directory}: {name}\n", row)

    def _name_pairs(self, old: set[str], new: set[str], *, is_top: bool) -> Iterator[NamePair]:
        """Return the sorted pairs of names to compare."""
        sort_key = lowercase_name if self._rules.ignores_name_case else encoded_name
        first_key = sort_key(self._rules.first_name) if is_top and self._rules.first_name else b""
        names_by_key: dict[bytes, tuple[list[str], list[str]]] = {}
        for side, names in enumerate((old, new)):
            for name in sorted(names, key=encoded_name):
                names_by_key.setdefault(sort_key(name), ([], []))[side].append(name)
        for key in sorted(names_by_key):
            if key >= first_key:
                yield from pair_names(*names_by_key[key])

    def _directory_identity(self, directory: str) -> tuple[int, int]:
        """Return what identifies a directory, to detect loops."""
        return identity(self._sh.fs.stat(self._sh.path(directory), follow=True))

    def _is_excluded(self, name: str) -> bool:
        return any(matches(name) for matches in self._rules.excluded_names)

    def _compare_child(
        self, paths: tuple[str, str], parents: tuple[tuple[int, int], ...], missing: int = -1
    ) -> Iterator[Any]:
        """Compare two entries of the same name, or one that is missing on the other side."""
        sh, comparer = self._sh, self._comparer
        stats: list[Stat] = []
        for i, path in enumerate(paths):
            if i == missing:
                continue
            try:
                stats.append(sh.fs.stat(sh.path(path), follow=self._rules.follows_links))
            except OSError as error:
                comparer.report_error(path, error)
        if len(stats) < (2 if missing < 0 else 1):
            return
        first, second = stats[0], stats[-1]
        if first.is_directory and second.is_directory:
            yield from self._compare_subdirectories(paths, first, missing, parents)
        elif first.is_file and second.is_file:
            yield from comparer.compare(paths, comparer.heading(paths), missing)
        elif first.is_link and second.is_link:
            yield from comparer.compare_links(paths)
        else:
            yield from comparer.report_types(paths, (first, second))

    def _compare_subdirectories(
        self, paths: tuple[str, str], stat: Stat, missing: int, parents: tuple[tuple[int, int], ...]
    ) -> Iterator[Any]:
        """Compare two subdirectories, or only report them without --recursive."""
        if not self._rules.recursive:
            message = f"Common subdirectories: {paths[0]} and {paths[1]}\n"
            yield from self._comparer.report(0, message, pair_row("directories", paths))
            return
        mark = identity(stat)
        if (stat.inode and mark in parents) or len(parents) > MAX_DIRECTORY_DEPTH:
            if len(parents) > MAX_DIRECTORY_DEPTH:
                self._comparer.report_error(paths[0], failure(errno.ELOOP, paths[0]))
            else:
                self._sh.warn(f"{paths[0]}: recursive directory loop", EXIT_TROUBLE)
                self._comparer.status = EXIT_TROUBLE
            return
        yield from self.compare(*paths, missing, (*parents, mark))


def child_path(directory: str, name: str) -> str:
    """Return the path of an entry of a directory."""
    return f"{directory.rstrip('/')}/{name}" if directory else name


def encoded_name(name: str) -> bytes:
    """Return the sort key of a name."""
    return bytes_of_text(name)


def lowercase_name(name: str) -> bytes:
    """Return the sort key of a name with --ignore-file-name-case."""
    return encoded_name(name).lower()


def pair_names(old: list[str], new: list[str]) -> Iterator[NamePair]:
    """Pair names that differ at most in case, preferring equal names."""
    while old and new:
        old_name, new_name = old[0], new[0]
        if (
            old_name != new_name
            and encoded_name(old_name) < encoded_name(new_name)
            and new_name in old
        ):
            old_name = new_name
        elif (
            old_name != new_name
            and encoded_name(old_name) > encoded_name(new_name)
            and old_name in new
        ):
            new_name = old_name
        old.remove(old_name)
        new.remove(new_name)
        yield old_name, new_name
    yield from ((name, None) for name in old)
    yield from ((None, name) for name in new)
