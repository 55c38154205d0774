"""Sum the sizes of directories with their contents, as GNU du does."""

from __future__ import annotations

import errno

from keysh.gnu.file_facts import bytes_on_disk
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.api import identity
from keysh.vfs.paths import join, with_one_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.text.pattern import NameMatcher
    from keysh.vfs.api import Identity, Stat


class DirectoryTotal:
    """A directory in the walk: the names still to visit, and the totals so far."""

    __slots__ = (
        "depth", "identity", "newest", "newest_in_subdirectories", "own_size", "path",
        "pending_names", "subdirectory_size",
    )  # fmt: skip

    def __init__(self, path: str, depth: int, file_identity: Identity, names: list[str]) -> None:
        self.path, self.depth, self.identity, self.pending_names = path, depth, file_identity, names
        self.own_size = self.newest = 0
        self.subdirectory_size = self.newest_in_subdirectories = 0  # of its subdirectories

    def add(self, size: int, time: int) -> None:
        """Add a file."""
        self.own_size += size
        self.newest = max(self.newest, time)

    def add_directory(self, folder: DirectoryTotal) -> None:
        """Add a finished subdirectory."""
        self.subdirectory_size += folder.own_size + folder.subdirectory_size
        self.newest_in_subdirectories = max(
            self.newest_in_subdirectories, folder.newest, folder.newest_in_subdirectories
        )


class UsageLine:
    """An output line: path, size and newest time."""

    __slots__ = ("is_operand", "path", "size", "time")

    def __init__(self, path: str, size: int, time: int, *, is_operand: bool = False) -> None:
        self.path, self.size, self.time, self.is_operand = path, size, time, is_operand


class DiskUsage:
    """What to count, and the files counted so far; `follow` is "never", "operands" or "always".

    `time_field` is the time of each file that counts.
    """

    __slots__ = (
        "_seen", "_sh", "counts_files", "counts_links", "excluded_paths", "follow", "has_several",
        "max_depth", "separates_directories", "shows_files", "stays_on_file_system", "time_field",
        "uses_apparent_size",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._seen: set[tuple[int, int]] = set()
        self.uses_apparent_size = self.counts_files = self.counts_links = (
            self.separates_directories
        ) = False
        self.stays_on_file_system = self.shows_files = False
        self.has_several = False  # operands, one of which may contain another
        self.follow, self.time_field = "never", "modified"
        self.max_depth: int | None = None
        self.excluded_paths: list[NameMatcher] = []

    def measure(self, operand: str) -> Iterator[UsageLine]:
        """Yield the lines for an operand, its own line last."""
        operand = with_one_slash(operand)
        if not operand:
            self._sh.warn("invalid zero-length file name")
            return
        top = self._stat_once(operand, is_operand=True)
        if top is None or self._is_excluded(operand):
            return
        if not top.is_directory:
            yield UsageLine(operand, self._size(top), self._time(top), is_operand=True)
            return
        stack = [self._enter(operand, 0, top)]
        while stack:
            self._sh.tick()
            directory = stack[-1]
            if directory.pending_names:
                name = directory.pending_names.pop()
                path = join(directory.path, name)
                if self._is_excluded(path):
                    continue
                stat = self._stat_once(path)
                if stat is None or (self.stays_on_file_system and stat.device != top.device):
                    continue
                if stat.is_directory:
                    if self._is_loop(stat, stack):
                        continue
                    stack.append(self._enter(path, directory.depth + 1, stat))
                    continue
                directory.add(self._size(stat), self._time(stat))
                if self.shows_files and self._is_within(directory.depth + 1):
                    yield UsageLine(path, self._size(stat), self._time(stat))
                continue
            stack.pop()
            if stack:
                stack[-1].add_directory(directory)
            if not stack or self._is_within(directory.depth):
                yield self._directory_line(directory, is_operand=not stack)

    def _directory_line(self, folder: DirectoryTotal, *, is_operand: bool) -> UsageLine:
        """Return the line of a finished directory."""
        size, time = folder.own_size, folder.newest
        if not self.separates_directories:
            size, time = size + folder.subdirectory_size, max(time, folder.newest_in_subdirectories)
        return UsageLine(folder.path, size, time, is_operand=is_operand)

    def _is_loop(self, stat: Stat, stack: list[DirectoryTotal]) -> bool:
        """Whether a directory contains itself; only links can cause that."""
        if self.follow != "always":
            return False
        file_identity = identity(stat)
        return any(folder.identity == file_identity for folder in stack)

    def _is_within(self, depth: int) -> bool:
        return self.max_depth is None or depth <= self.max_depth

    def _stat_once(self, path: str, *, is_operand: bool = False) -> Stat | None:
        """Return the status of a file; None if it was counted before or cannot be accessed."""
        follows = self.follow == "always" or (is_operand and self.follow == "operands")
        try:
            stat = self._sh.fs.stat(self._sh.path(path), follow=follows)
        except OSError as error:
            # GNU gives no reason for a dangling link.
            is_dangling = error.errno == errno.ENOENT and follows and self._sh.is_link(path)
            reason = "" if is_dangling else f": {os_error_text(error)}"
            self._sh.warn(f"cannot access {quoted_name(path)}{reason}")
            return None
        file_identity = identity(stat)
        may_repeat = self.has_several or follows or stat.links > 1
        if not self.counts_links and may_repeat:
            if file_identity in self._seen:
                return None
            self._seen.add(file_identity)
        return stat

    def _enter(self, path: str, depth: int, stat: Stat) -> DirectoryTotal:
        try:
            names = sorted((e.name for e in self._sh.fs.list(self._sh.path(path))), reverse=True)
        except OSError as error:
            self._sh.warn(f"cannot read directory {quoted_name(path)}: {os_error_text(error)}")
            names = []
        total = DirectoryTotal(path, depth, identity(stat), names)
        total.add(self._size(stat), self._time(stat))
        return total

    def _size(self, stat: Stat) -> int:
        if self.counts_files:
            return 1
        return stat.size if self.uses_apparent_size else bytes_on_disk(stat)

    def _time(self, stat: Stat) -> int:
        return int(getattr(stat, self.time_field))

    def _is_excluded(self, path: str) -> bool:
        """Whether a pattern matches the path, or the part after one of its slashes."""
        if not self.excluded_paths:
            return False
        suffixes = [path, *(path[index + 1 :] for index, char in enumerate(path) if char == "/")]
        return any(matches(suffix) for matches in self.excluded_paths for suffix in suffixes)
