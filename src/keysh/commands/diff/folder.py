"""Folders: the files of two directories, compared by their names."""

from __future__ import annotations

import errno

from keysh.commands.diff.pair import DIFFERENT, TROUBLE, row_of, written
from keysh.vfs.api import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.commands.diff.pair import Pairs
    from keysh.commands.diff.rules import Rules
    from keysh.runtime.call import Call
    from keysh.vfs.api import Stat

DEEPEST = 400  # directories inside one another
KINDS = {0o100000: "regular file", 0o120000: "symbolic link", 0o040000: "directory",
         0o010000: "fifo", 0o020000: "character special file", 0o060000: "block special file",
         0o140000: "socket"}  # fmt: skip


class Folders:
    """What walks through two directories at once."""

    __slots__ = ("_pairs", "_rules", "_sh")

    def __init__(self, sh: Call, rules: Rules, pairs: Pairs) -> None:
        self._sh, self._rules, self._pairs = sh, rules, pairs

    def compare(
        self, old: str, new: str, missing: int = -1, above: tuple[tuple[int, int], ...] = ()
    ) -> Iterator[Any]:
        """Compare two directories; one of them, by its index, may be missing."""
        sh = self._sh
        above = above or (self._mark(new if missing == 0 else old),)
        listed: list[set[str]] = []
        for i, folder in enumerate((old, new)):
            try:
                names = set() if i == missing else {e.name for e in sh.fs.list(sh.path(folder))}
            except OSError as error:
                self._pairs.trouble(folder, error)
                return
            listed.append({name for name in names if not self._is_excluded(name)})
        for name in sorted(listed[0] | listed[1], key=encoded_name):
            sh.tick()
            paths = (below(old, name), below(new, name))
            if name in listed[0] and name in listed[1]:
                yield from self._both(paths, above)
                continue
            lacking = 1 if name in listed[0] else 0
            may = self._rules.missing
            if may == "both" or (may == "first" and not lacking):
                yield from self._both(paths, above, lacking)
                continue
            folder = (new, old)[lacking]
            row = {"folder": folder, "name": name, "what": "only"}
            yield from self._pairs.tell(DIFFERENT, f"Only in {folder}: {name}\n", row)

    def _mark(self, folder: str) -> tuple[int, int]:
        """What tells a directory from all others."""
        stat = self._sh.fs.stat(self._sh.path(folder), follow=True)
        return stat.device, stat.inode

    def _is_excluded(self, name: str) -> bool:
        return any(pattern.matches(name) for pattern in self._rules.excluded)

    def _both(
        self, paths: tuple[str, str], above: tuple[tuple[int, int], ...], missing: int = -1
    ) -> Iterator[Any]:
        """Compare what stands in both directories under one name, or in one of them."""
        sh, pairs = self._sh, self._pairs
        found: list[Stat] = []
        for i, path in enumerate(paths):
            if i == missing:
                continue
            try:
                found.append(sh.fs.stat(sh.path(path), follow=True))
            except OSError as error:
                pairs.trouble(path, error)
        if len(found) < (2 if missing < 0 else 1):
            return
        first, second = found[0], found[-1]
        if first.is_directory and second.is_directory:
            yield from self._directories(paths, first, missing, above)
        elif first.is_file and second.is_file:
            shown = " ".join(map(written, pairs.called(paths)))
            heading = f"diff{self._rules.switches} {shown}\n"
            yield from pairs.compare(paths, heading, missing)
        else:
            kinds = [kind_of(one) for one in (first, second)]
            names = pairs.called(paths)
            says = f"File {names[0]} is a {kinds[0]} while file {names[1]} is a {kinds[1]}\n"
            yield from pairs.tell(DIFFERENT, says, row_of("kinds", paths))

    def _directories(
        self, paths: tuple[str, str], stat: Stat, missing: int, above: tuple[tuple[int, int], ...]
    ) -> Iterator[Any]:
        """Go down into two directories, or say that both are there."""
        if not self._rules.recursive:
            says = f"Common subdirectories: {paths[0]} and {paths[1]}\n"
            yield from self._pairs.tell(0, says, row_of("directories", paths))
            return
        mark = (stat.device, stat.inode)
        if (stat.inode and mark in above) or len(above) > DEEPEST:
            if len(above) > DEEPEST:
                self._pairs.trouble(paths[0], failure(errno.ELOOP, paths[0]))
            else:
                self._sh.warn(f"{paths[0]}: recursive directory loop", TROUBLE)
                self._pairs.status = TROUBLE
            return
        yield from self.compare(*paths, missing, (*above, mark))


def below(folder: str, name: str) -> str:
    """A name in a directory."""
    return f"{folder.rstrip('/')}/{name}" if folder else name


def encoded_name(name: str) -> bytes:
    """What names are put in order by."""
    return name.encode("utf-8", "surrogateescape")


def kind_of(stat: Stat) -> str:
    """What GNU calls the kind of a file."""
    if stat.is_file and not stat.size:
        return "regular empty file"
    return KINDS.get(stat.mode & 0o170000, "weird file")
