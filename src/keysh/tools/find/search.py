"""Search: the walk through the directories, and the files it comes by."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.gnu.file_systems import mount_at
from keysh.interp.state.call import why
from keysh.text.chunks import encoded
from keysh.text.gnu_quoting import locale_quoted
from keysh.tools.find.output import Output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from keysh.gnu.file_systems import Mount
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

    Judge: TypeAlias = "Callable[[Found], bool]"


class Quit(Exception):
    """-quit: nothing more is judged."""


class Found:
    """A file on the way: its path as printed, and what is known of it, looked up when needed."""

    __slots__ = ("_kind", "_stat", "above", "depth", "is_pruned", "path", "search", "start")

    def __init__(
        self, search: Search, path: str, start: str, above: Found | None, kind: int = 0
    ) -> None:
        self.search, self.path, self.start, self.above = search, path, start, above
        self.depth: int = above.depth + 1 if above else 0
        self._kind, self._stat = kind, None if kind else search.stat(path, self.depth)
        self.is_pruned = False

    @property
    def stat(self) -> Stat:
        if self._stat is None:
            self._stat = self.search.stat(self.path, self.depth)
        return self._stat

    @property
    def kind(self) -> int:
        return self._kind or kinds.S_IFMT(self.stat.mode)

    @property
    def name(self) -> str:
        """The last step; of the root, its slash."""
        return self.path.rstrip("/").rpartition("/")[2] or self.path[:1]

    @property
    def mount(self) -> Mount:
        """The mount that holds it; a link is where it stands, wherever it leads."""
        path = self.path
        if self.kind == kinds.S_IFLNK:
            path = path[: path.rfind("/") + 1] or "."
        return mount_at(self.search.sh, path)


class Search:
    """One run of find: what holds for all of it. Its actions add to `at_end` what waits."""

    __slots__ = (
        "at_end", "contents_first", "follow", "gives_advice", "list", "maximum", "minimum",
        "origin", "output", "regex_kind", "sh", "status", "stays",
        "tells_rows",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self.sh = sh
        self.follow = "P"
        self.minimum, self.maximum = 0, -1
        self.contents_first = False
        self.gives_advice = False  # on what may not be meant
        self.at_end: list[Callable[[], None]] = []
        self.list: str | None = None  # a file that names the starts
        self.output = Output(sh)
        self.status = 0
        self.tells_rows = False  # where it would print paths
        self.stays = False  # on the file systems of the starts
        self.origin = sh.now()  # what ages are counted from
        self.regex_kind = "emacs"  # where none is named

    def warn(self, message: str) -> None:
        self.sh.warn(message)
        self.status = 1

    def complain(self, path: str, error: OSError) -> None:
        """Tell of a file that cannot be looked at."""
        self.warn(f"{locale_quoted(path)}: {why(error)}")

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

    def walk(self, starts: Iterable[str], judge: Judge) -> None:
        """Judge all that is below the starts; what waits for the end is then done."""
        try:
            for start in starts:
                try:
                    self.below(Found(self, start, start, None), judge)
                except OSError as error:
                    self.complain(start, error)
        except Quit:
            pass
        for action in self.at_end:
            action()

    def below(self, top: Found, judge: Judge) -> None:
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
                elif found.depth >= self.minimum:
                    judge(found)
                if not is_entered and self.leads_on(found):
                    stack.extend((inner, False) for inner in reversed(self.inside(found)))
            except OSError as error:
                self.complain(found.path, error)

    def leads_on(self, found: Found) -> bool:
        """Whether to go into it: a directory, if it is not too deep."""
        if found.kind != kinds.S_IFDIR or found.depth == self.maximum:
            return False
        if self.stays and found.above is not None:
            top = found.above
            while top.above is not None:
                top = top.above
            if found.stat.device != top.stat.device:
                return False
        return self.contents_first or not found.is_pruned

    def is_loop(self, found: Found) -> bool:
        """Whether it is a directory that the way to it leads through; that is told of."""
        above = found.above
        if above is None or found.kind != kinds.S_IFDIR:
            return False
        fs, sh = self.sh.fs, self.sh
        real = fs.resolve(sh.path(found.path))
        while above is not None:
            if fs.resolve(sh.path(above.path)) == real:
                same = f"{locale_quoted(found.path)} is part of the same file system loop"
                self.warn(f"File system loop detected; {same} as {locale_quoted(above.path)}.")
                return True
            above = above.above
        return False

    def inside(self, found: Found) -> list[Found]:
        """The entries of a directory, by their names."""
        entries = sorted(
            self.sh.fs.list(self.sh.path(found.path)), key=lambda entry: encoded(entry.name)
        )
        base = found.path if found.path.endswith("/") else f"{found.path}/"
        made: list[Found] = []
        for entry in entries:
            is_followed = self.follow == "L" and entry.kind == kinds.S_IFLNK
            try:
                kind = 0 if is_followed else entry.kind
                made.append(Found(self, base + entry.name, found.start, found, kind))
            except OSError as error:
                self.complain(base + entry.name, error)
        return made
