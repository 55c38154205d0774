"""The directory walk of find."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.gnu.file_systems import mount_at
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.find.output import FindOutputFiles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from keysh.gnu.file_systems import MountPoint
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

    Predicate: TypeAlias = "Callable[[FoundFile], bool]"


class QuitSearch(Exception):
    """-quit: stop the search."""


class FoundFile:
    """A file in the walk: its path as printed, and its status, which is read when needed."""

    __slots__ = ("_stat", "_type", "depth", "is_pruned", "parent", "path", "search", "start")

    def __init__(
        self, search: FindRun, path: str, start: str, above: FoundFile | None, kind: int = 0
    ) -> None:
        self.search, self.path, self.start, self.parent = search, path, start, above
        self.depth: int = above.depth + 1 if above else 0
        self._type, self._stat = kind, None if kind else search.stat(path, self.depth)
        self.is_pruned = False

    @property
    def stat(self) -> Stat:
        if self._stat is None:
            self._stat = self.search.stat(self.path, self.depth)
        return self._stat

    @property
    def type_bits(self) -> int:
        return self._type or kinds.S_IFMT(self.stat.mode)

    @property
    def name(self) -> str:
        """The last part of the path; for the root, its slash."""
        return self.path.rstrip("/").rpartition("/")[2] or self.path[:1]

    @property
    def mount(self) -> MountPoint:
        """The mount that holds the file; for a link, not its target."""
        path = self.path
        if self.type_bits == kinds.S_IFLNK:
            path = path[: path.rfind("/") + 1] or "."
        return mount_at(self.search.sh, path)


class FindRun:
    """One run of find and its settings; `at_end` has functions to call after the walk."""

    __slots__ = (
        "age_origin", "at_end", "contents_first", "follow", "gives_advice", "max_depth",
        "min_depth", "output", "prints_rows", "regex_type", "sh", "start_list", "status",
        "stays_on_file_system",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self.sh = sh
        self.follow = "P"
        self.min_depth, self.max_depth = 0, -1
        self.contents_first = False
        self.gives_advice = False  # for questionable expressions
        self.at_end: list[Callable[[], None]] = []
        self.start_list: str | None = None  # the file of -files0-from
        self.output = FindOutputFiles(sh)
        self.status = 0
        self.prints_rows = False  # in place of paths
        self.stays_on_file_system = False  # of the starting points
        self.age_origin = sh.now()  # the time from which ages count
        self.regex_type = "emacs"  # the default

    def warn(self, message: str) -> None:
        self.sh.warn(message)
        self.status = 1

    def report_error(self, path: str, error: OSError) -> None:
        """Report a file that cannot be accessed."""
        self.warn(f"{locale_quoted_text(path)}: {os_error_text(error)}")

    def stat(self, path: str, depth: int) -> Stat:
        """Return the status of a path, or of a link's target if links are followed and it exists."""
        if not path:
            raise FileNotFoundError(errno.ENOENT, "", path)
        place, fs = self.sh.path(path), self.sh.fs
        if self.follow == "L" or (self.follow == "H" and not depth):
            try:
                return fs.stat(place, follow=True)
            except FileNotFoundError:
                pass
        return fs.stat(place)

    def walk(self, starts: Iterable[str], judge: Predicate) -> None:
        """Evaluate the predicate for all files below the starting points, then call `at_end`."""
        try:
            for start in starts:
                try:
                    self.walk_start(FoundFile(self, start, start, None), judge)
                except OSError as error:
                    self.report_error(start, error)
        except QuitSearch:
            pass
        for action in self.at_end:
            action()

    def walk_start(self, top: FoundFile, judge: Predicate) -> None:
        """Walk one starting point; the stack has the remaining files, the next one last."""
        # The flag means that the contents of a directory are on the stack already.
        stack = [(top, False)]
        while stack:
            found, is_entered = stack.pop()
            self.sh.tick()
            try:
                if not is_entered and self.follow == "L" and self.is_loop(found):
                    continue
                if not is_entered and self.contents_first:
                    stack.append((found, True))
                elif found.depth >= self.min_depth:
                    judge(found)
                if not is_entered and self.should_descend(found):
                    stack.extend((inner, False) for inner in reversed(self.children(found)))
            except OSError as error:
                self.report_error(found.path, error)

    def should_descend(self, found: FoundFile) -> bool:
        """Whether to enter a file: a directory that is not too deep."""
        if found.type_bits != kinds.S_IFDIR or found.depth == self.max_depth:
            return False
        if self.stays_on_file_system and found.parent is not None:
            top = found.parent
            while top.parent is not None:
                top = top.parent
            if found.stat.device != top.stat.device:
                return False
        return self.contents_first or not found.is_pruned

    def is_loop(self, found: FoundFile) -> bool:
        """Whether a directory contains itself by way of a link; report it."""
        above = found.parent
        if above is None or found.type_bits != kinds.S_IFDIR:
            return False
        fs, sh = self.sh.fs, self.sh
        real = fs.resolve(sh.path(found.path))
        while above is not None:
            if fs.resolve(sh.path(above.path)) == real:
                same = f"{locale_quoted_text(found.path)} is part of the same file system loop"
                self.warn(f"File system loop detected; {same} as {locale_quoted_text(above.path)}.")
                return True
            above = above.parent
        return False

    def children(self, found: FoundFile) -> list[FoundFile]:
        """Return the entries of a directory, sorted by name."""
        entries = sorted(
            self.sh.fs.list(self.sh.path(found.path)), key=lambda entry: bytes_of_text(entry.name)
        )
        base = found.path if found.path.endswith("/") else f"{found.path}/"
        made: list[FoundFile] = []
        for entry in entries:
            is_followed = self.follow == "L" and entry.kind == kinds.S_IFLNK
            try:
                kind = 0 if is_followed else entry.kind
                made.append(FoundFile(self, base + entry.name, found.start, found, kind))
            except OSError as error:
                self.report_error(base + entry.name, error)
        return made
