"""Disk usage: the sizes of directories with all that is in them, as GNU's du sums them."""

from __future__ import annotations

import errno

from keysh.gnu.file_facts import bytes_on_disk
from keysh.interp.state.call import why
from keysh.interp.streams.files import is_link
from keysh.text.gnu_quoting import quoted
from keysh.vfs.api import identity
from keysh.vfs.paths import join, trimmed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.text.pattern import Pattern
    from keysh.vfs.api import Identity, Stat


class Folder:
    """A directory on the way: what is left to look at in it, and the sums so far."""

    __slots__ = ("below", "depth", "key", "names", "newest", "newest_below", "own", "path")

    def __init__(self, path: str, depth: int, key: Identity, names: list[str]) -> None:
        self.path, self.depth, self.key, self.names = path, depth, key, names
        self.own = self.newest = 0
        self.below = self.newest_below = 0  # of the directories in it

    def add(self, size: int, time: int) -> None:
        """A file in it."""
        self.own += size
        self.newest = max(self.newest, time)

    def add_folder(self, folder: Folder) -> None:
        """A directory in it that has been summed."""
        self.below += folder.own + folder.below
        self.newest_below = max(self.newest_below, folder.newest, folder.newest_below)


class Line:
    """What is shown of a file or a directory: its room, its newest time, and where it is."""

    __slots__ = ("is_operand", "path", "size", "time")

    def __init__(self, path: str, size: int, time: int, *, is_operand: bool = False) -> None:
        self.path, self.size, self.time, self.is_operand = path, size, time, is_operand


class Usage:
    """What is summed, and what has been seen. `follow` is "never", "operands" or "always".

    `time` names which time of each file counts.
    """

    __slots__ = (
        "_seen", "_sh", "counts_files", "counts_links", "deepest", "excluded", "follow",
        "has_several", "is_apparent", "is_separate", "shows_files", "stays", "time",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._seen: set[tuple[int, int]] = set()
        self.is_apparent = self.counts_files = self.counts_links = self.is_separate = False
        self.stays = self.shows_files = False
        self.has_several = False  # operands, of which one may lie in another
        self.follow, self.time = "never", "modified"
        self.deepest: int | None = None
        self.excluded: list[Pattern] = []

    def below(self, operand: str) -> Iterator[Line]:
        """All that is shown of an operand, itself at the end."""
        operand = trimmed(operand)
        if not operand:
            self._sh.warn("invalid zero-length file name")
            return
        top = self._look(operand, is_operand=True)
        if top is None or self._is_excluded(operand):
            return
        if not top.is_directory:
            yield Line(operand, self._size(top), self._time(top), is_operand=True)
            return
        stack = [self._entered(operand, 0, top)]
        while stack:
            self._sh.tick()
            here = stack[-1]
            if here.names:
                name = here.names.pop()
                path = join(here.path, name)
                if self._is_excluded(path):
                    continue
                found = self._look(path)
                if found is None or (self.stays and found.device != top.device):
                    continue
                if found.is_directory:
                    if self._leads_back(found, stack):
                        continue
                    stack.append(self._entered(path, here.depth + 1, found))
                    continue
                here.add(self._size(found), self._time(found))
                if self.shows_files and self._is_within(here.depth + 1):
                    yield Line(path, self._size(found), self._time(found))
                continue
            stack.pop()
            if stack:
                stack[-1].add_folder(here)
            if not stack or self._is_within(here.depth):
                yield self._line(here, is_operand=not stack)

    def _line(self, folder: Folder, *, is_operand: bool) -> Line:
        """What is shown of a directory that has been summed."""
        size, time = folder.own, folder.newest
        if not self.is_separate:
            size, time = size + folder.below, max(time, folder.newest_below)
        return Line(folder.path, size, time, is_operand=is_operand)

    def _leads_back(self, found: Stat, stack: list[Folder]) -> bool:
        """Whether a directory is one of those around it: only a link makes it so."""
        if self.follow != "always":
            return False
        key = identity(found)
        return any(folder.key == key for folder in stack)

    def _is_within(self, depth: int) -> bool:
        return self.deepest is None or depth <= self.deepest

    def _look(self, path: str, *, is_operand: bool = False) -> Stat | None:
        """What is at a path, if it is to be counted: nothing twice."""
        follows = self.follow == "always" or (is_operand and self.follow == "operands")
        try:
            found = self._sh.fs.stat(self._sh.path(path), follow=follows)
        except OSError as error:
            # Of a link that leads nowhere, GNU gives no reason.
            is_dangling = error.errno == errno.ENOENT and follows and is_link(self._sh, path)
            reason = "" if is_dangling else f": {why(error)}"
            self._sh.warn(f"cannot access {quoted(path)}{reason}")
            return None
        key = identity(found)
        may_repeat = self.has_several or follows or found.links > 1
        if not self.counts_links and may_repeat:
            if key in self._seen:
                return None
            self._seen.add(key)
        return found

    def _entered(self, path: str, depth: int, found: Stat) -> Folder:
        try:
            names = sorted((e.name for e in self._sh.fs.list(self._sh.path(path))), reverse=True)
        except OSError as error:
            self._sh.warn(f"cannot read directory {quoted(path)}: {why(error)}")
            names = []
        folder = Folder(path, depth, identity(found), names)
        folder.add(self._size(found), self._time(found))
        return folder

    def _size(self, found: Stat) -> int:
        if self.counts_files:
            return 1
        return found.size if self.is_apparent else bytes_on_disk(found)

    def _time(self, found: Stat) -> int:
        return int(getattr(found, self.time))

    def _is_excluded(self, path: str) -> bool:
        """Whether a pattern matches the path, or what stands behind one of its slashes."""
        if not self.excluded:
            return False
        ends = [path, *(path[at + 1 :] for at, char in enumerate(path) if char == "/")]
        return any(pattern.matches(end) for pattern in self.excluded for end in ends)
