"""Search: the walk through the directories, and the files it comes by."""

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
    """-quit: nothing more is judged."""


class FoundFile:
    """A file on the way: its path as printed, and what is known of it, looked up when needed."""

    __slots__ = ("_type", "_stat", "parent", "depth", "is_pruned", "path", "search", "start")

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
        """The last step; of the root, its slash."""
        return self.path.rstrip("/").rpartition("/")[2] or self.path[:1]

    @property
    def mount(self) -> MountPoint:
        """The mount that holds it; a link is where it stands, wherever it leads."""
        path = self.path
        if self.type_bits == kinds.S_IFLNK:
            path = path[: path.rfind("/") + 1] or "."
        return mount_at(self.search.sh, path)


class FindRun:
    """One run of find: what holds for all of it. Its actions add to `at_end` what waits."""

    __slots__ = (
        "at_end", "contents_first", "follow", "gives_advice", "start_list", "max_depth", "min_depth",
        "age_origin", "output", "regex_type", "sh", "status", "stays_on_file_system",
        "prints_rows",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self.sh = sh
        self.follow = "P"
        self.min_depth, self.max_depth = 0, -1
        self.contents_first = False
        self.gives_advice = False  # on what may not be meant
        self.at_end: list[Callable[[], None]] = []
        self.start_list: str | None = None  # a file that names the starts
        self.output = FindOutputFiles(sh)
        self.status = 0
        self.prints_rows = False  # where it would print paths
        self.stays_on_file_system = False  # on the file systems of the starts
        self.age_origin = sh.now()  # what ages are counted from
        self.regex_type = "emacs"  # where none is named

    def warn(self, message: str) -> None:
        self.sh.warn(message)
        self.status = 1

    def report_error(self, path: str, error: OSError) -> None:
        """Tell of a file that cannot be looked at."""
        self.warn(f"{locale_quoted_text(path)}: {os_error_text(error)}")

    def stat(self, path: str, depth: int) -> Stat:
        """What is at a path, behind a link if such links are followed and it leads somewhere."""
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
        """Judge all that is below the starts; what waits for the end is then done."""
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
        """One start and everything in it. What is left stands on a stack, the next on top."""
        # The mark says that a directory's contents have been pushed already.
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
        """Whether to go into it: a directory, if it is not too deep."""
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
        """Whether it is a directory that the way to it leads through; that is told of."""
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
        """The entries of a directory, by their names."""
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
