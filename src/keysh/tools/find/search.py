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
        self, search: FindRun, path: str, start: str, parent: FoundFile | None, kind: int = 0
    ) -> None:
        self.search, self.path, self.start, self.parent = search, path, start, parent
        self.depth: int = parent.depth + 1 if parent else 0
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
        """Return the status of a path, or of its target if links are followed and it exists."""
        if not path:
            raise FileNotFoundError(errno.ENOENT, "", path)
        real_path, fs = self.sh.path(path), self.sh.fs
        if self.follow == "L" or (self.follow == "H" and not depth):
            try:
                return fs.stat(real_path, follow=True)
            except FileNotFoundError:
                pass
        return fs.stat(real_path)

    def walk(self, starts: Iterable[str], predicate: Predicate) -> None:
        """Evaluate the predicate for all files below the starting points, then call `at_end`."""
        try:
            for start in starts:
                try:
                    self.walk_start(FoundFile(self, start, start, None), predicate)
                except OSError as error:
                    self.report_error(start, error)
        except QuitSearch:
            pass
        for action in self.at_end:
            action()

    def walk_start(self, start_file: FoundFile, predicate: Predicate) -> None:
        """Walk one starting point; the stack has the remaining files, the next one last."""
        # The flag means that the contents of a directory are on the stack already.
        stack = [(start_file, False)]
        while stack:
            file, is_entered = stack.pop()
            self.sh.tick()
            try:
                if not is_entered and self.follow == "L" and self.is_loop(file):
                    continue
                if not is_entered and self.contents_first:
                    stack.append((file, True))
                elif file.depth >= self.min_depth:
                    predicate(file)
                if not is_entered and self.should_descend(file):
                    stack.extend((inner, False) for inner in reversed(self.children(file)))
            except OSError as error:
                self.report_error(file.path, error)

    def should_descend(self, file: FoundFile) -> bool:
        """Whether to enter a file: a directory that is not too deep."""
        if file.type_bits != kinds.S_IFDIR or file.depth == self.max_depth:
            return False
        if self.stays_on_file_system and file.parent is not None:
            start_file = file.parent
            while start_file.parent is not None:
                start_file = start_file.parent
            if file.stat.device != start_file.stat.device:
                return False
        return self.contents_first or not file.is_pruned

    def is_loop(self, file: FoundFile) -> bool:
        """Whether a directory contains itself by way of a link; report it."""
        parent = file.parent
        if parent is None or file.type_bits != kinds.S_IFDIR:
            return False
        fs, sh = self.sh.fs, self.sh
        real = fs.resolve(sh.path(file.path))
        while parent is not None:
            if fs.resolve(sh.path(parent.path)) == real:
                same = f"{locale_quoted_text(file.path)} is part of the same file system loop"
                self.warn(
                    f"File system loop detected; {same} as {locale_quoted_text(parent.path)}."
                )
                return True
            parent = parent.parent
        return False

    def children(self, file: FoundFile) -> list[FoundFile]:
        """Return the entries of a directory, sorted by name."""
        entries = sorted(
            self.sh.fs.list(self.sh.path(file.path)), key=lambda entry: bytes_of_text(entry.name)
        )
        prefix = file.path if file.path.endswith("/") else f"{file.path}/"
        found_files: list[FoundFile] = []
        for entry in entries:
            is_followed = self.follow == "L" and entry.kind == kinds.S_IFLNK
            try:
                kind = 0 if is_followed else entry.kind
                found_files.append(FoundFile(self, prefix + entry.name, file.start, file, kind))
            except OSError as error:
                self.report_error(prefix + entry.name, error)
        return found_files
