"""The files that grep searches: the operands, and the files in directories."""

from __future__ import annotations

import stat as kinds

from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import Reader
from keysh.text.chunks import bytes_of_text
from keysh.text.pattern import name_matcher
from keysh.vfs.api import identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call
    from keysh.text.pattern import NameMatcher
    from keysh.vfs.api import Stat
    from keysh.vfs.stream import Stream


FIRST_CHUNK_CHARS = 32768


class NameFilter:
    """The globs of --include and --exclude, in order; the last one that matches a name decides.

    If none matches, the file is searched if the first glob is an exclusion.
    """

    __slots__ = ("_globs", "_tick")

    def __init__(self, tick: Callable[[], object]) -> None:
        self._globs: list[tuple[NameMatcher, bool]] = []
        self._tick = tick

    def add(self, glob: str, *, includes: bool) -> None:
        """Add a glob of names to include or exclude."""
        self._globs.append((name_matcher(glob.rstrip("/") or glob, self._tick), includes))

    def excludes(self, name: str, *, is_operand: bool) -> bool:
        """Whether a file is excluded; globs may match any trailing part of an operand's path."""
        if not self._globs:
            return False
        names = [name]
        if is_operand:
            names += [name[at + 1 :] for at, char in enumerate(name[:-1]) if char == "/"]
        for matches, includes in reversed(self._globs):
            if any(map(matches, names)):
                return not includes
        return self._globs[0][1]


class GrepFiles:
    """Opens the files one by one.

    `directories` says how to handle directories: "read" (which fails), "skip" or "recurse".
    """

    __slots__ = (
        "_follows", "_is_silent", "_sh", "directories", "directory_names", "has_walked", "label",
        "leaves_output", "names", "size", "skips_devices",
    )  # fmt: skip

    def __init__(self, sh: Call, directories: str, follows: bool, is_silent: bool) -> None:
        self._sh, self._follows, self._is_silent = sh, follows, is_silent
        self.directories = directories
        self.skips_devices = False
        self.leaves_output = True  # whether to skip a file that is also the output
        self.label = "(standard input)"
        self.has_walked = False  # whether a directory was searched
        self.size: int | None = None  # of the current file, if known
        # Which ones to search.
        self.names, self.directory_names = NameFilter(sh.tick), NameFilter(sh.tick)

    def open_each(self, operands: tuple[str, ...]) -> Iterator[tuple[str, Reader]]:
        """Yield each file: its name as printed, and a reader."""
        walks = self.directories == "recurse"
        for name in operands or ("." if walks else "-",):
            if name == "-":
                self.size = None
                if not self.is_output(self._sh.input_stream, self.label):
                    yield name, self._sh.stdin
                continue
            try:
                status = self._sh.fs.stat(self._sh.path(name), follow=True)
            except OSError as error:
                self.report_failure(name, error)
                continue
            names = self.directory_names if status.is_directory else self.names
            if operands and names.excludes(name, is_operand=True):
                continue
            if not status.is_directory:
                yield from self.open_file(name, status)
            elif walks:
                shown_name = (name.rstrip("/") or "/") if operands else ""
                yield from self.walk_directory(name, shown_name, (identity(status),))
            elif self.directories == "read":
                self.warn(f"{name}: Is a directory")
                self.size = None
                yield name, Reader([])

    def walk_directory(
        self, folder: str, shown_name: str, above: tuple[tuple[int, int], ...]
    ) -> Iterator[tuple[str, Reader]]:
        """Yield the files in a directory and its subdirectories, sorted by name."""
        sh, self.has_walked = self._sh, True
        stack = [(folder, shown_name, above)]
        while stack:
            folder, shown_name, above = stack.pop()
            sh.tick()
            try:
                entries = sorted(
                    sh.fs.list(sh.path(folder)), key=lambda one: bytes_of_text(one.name)
                )
            except OSError as error:
                self.report_failure(shown_name, error)
                continue
            inner = []
            base = (
                shown_name if shown_name.endswith("/") else f"{shown_name}/" if shown_name else ""
            )
            for entry in entries:
                path = f"{base}{entry.name}"
                if entry.kind == kinds.S_IFLNK and not self._follows:
                    continue
                is_wanted = not self.names.excludes(entry.name, is_operand=False)
                try:
                    status = sh.fs.stat(sh.path(path), follow=True)
                except OSError as error:
                    if is_wanted:
                        self.report_failure(path, error)
                    continue
                if not status.is_directory:
                    if status.is_file and is_wanted:
                        yield from self.open_file(path, status)
                elif self.directory_names.excludes(entry.name, is_operand=False):
                    continue
                elif identity(status) in above:
                    self.warn(f"{path}: warning: recursive directory loop", 0)
                else:
                    inner.append((path, path, (*above, identity(status))))
            stack.extend(reversed(inner))

    def open_file(self, name: str, status: Stat) -> Iterator[tuple[str, Reader]]:
        if self.skips_devices and not status.is_file:
            return
        try:
            stream = self._sh.open(name)
        except OSError as error:
            self.report_failure(name, error)
            return
        reader = self._sh.reader_of(stream)
        self.size = status.size if status.is_file else None
        try:
            if not self.is_output(stream, name):
                yield name, reader
        finally:
            reader.close()

    def is_output(self, source: Stream | Reader, title: str) -> bool:
        """Whether an input is also the output; warns if it is."""
        if not self.leaves_output or not self._sh.is_output(source):
            return False
        self.warn(f"{title}: input file is also the output")
        return True

    def chunks(self, name: str, chunks: Iterator[str]) -> Iterator[str]:
        """Yield the text of a file. The first chunk is large: it decides if the file is binary."""
        first: list[str] = []
        length = 0
        try:
            for chunk in chunks:
                self._sh.tick()
                if length < FIRST_CHUNK_CHARS and name != "-":
                    first.append(chunk)
                    length += len(chunk)
                    if length < FIRST_CHUNK_CHARS:
                        continue
                    chunk = "".join(first)
                    first.clear()
                yield chunk
            if first:
                yield "".join(first)
        except OSError as error:
            self.report_failure(self.label if name == "-" else name, error)

    def report_failure(self, name: str, error: OSError) -> None:
        self.warn(f"{name}: {os_error_text(error)}")

    def warn(self, message: str, status: int = 2) -> None:
        if self._is_silent:
            self._sh.status = max(self._sh.status, status)
        else:
            self._sh.warn(message, status)
