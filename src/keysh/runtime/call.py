"""Call: what a command sees of the shell that runs it, and nothing else.

    for source in sh.inputs(files):
        for line in source.lines():
            sh.out.write(line)

A command answers in one of four ways: nothing or a status (an int); text, which is printed; a
value, which is printed as text and bound as it is in `$(…)`; or, as a generator, chunks of text,
which the next stage of a pipeline pulls one by one. What it warns of makes its status 1.
"""

from __future__ import annotations

import errno
import os

from keysh.runtime.quoting import quoted as quoted  # commands take it from here
from keysh.runtime.quoting import shown as shown
from keysh.runtime.streams import Reader, reader_of
from keysh.vfs.api import failure
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any, Protocol

    from keysh.runtime.streams import Writer
    from keysh.vfs.api import Access, Stream
    from keysh.vfs.router import Router

    class Run(Protocol):
        """Runs a command of the words given, with other variables or elsewhere if told; its status.

        `env` is the whole environment, `cwd` a path of the file system.
        """

        def __call__(
            self,
            words: Sequence[object],
            /,
            *,
            env: Mapping[str, str] | None = None,
            cwd: str | None = None,
        ) -> int: ...


class Failure(Exception):
    """A command cannot go on; its message is printed and its status set."""

    def __init__(self, message: str, status: int = 1) -> None:
        super().__init__(message)
        self.message, self.status = message, status


class Call:
    """One run of one command."""

    __slots__ = (
        "cwd", "env", "err", "fs", "given", "name", "out", "run", "status", "stdin", "tick",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        fs: Router,
        cwd: str,
        env: Mapping[str, str],
        stdin: Reader,
        out: Writer,
        err: Writer,
        run: Run,
        tick: Callable[[], None],
    ) -> None:
        self.name, self.fs, self.cwd, self.env = name, fs, cwd, env
        self.stdin, self.out, self.err = stdin, out, err
        self.run = run  # run a command of these words, in this call's place; its status
        self.tick = tick  # call it now and then in a long computation: it stops a cancelled run
        self.given: list[tuple[str, Any]] = []  # the options as they came, in order
        self.status = 0

    def warn(self, message: str, status: int = 1) -> None:
        """Print a message behind the command's name and go on; the status will not be 0."""
        self.err.write(f"{self.name}: {message}\n")
        self.status = max(self.status, status)

    def fail(self, message: str, status: int = 1) -> Failure:
        """The exception to raise when there is no going on: `raise sh.fail("…")`."""
        return Failure(message, status)

    def path(self, path: str) -> str:
        """A path as the file system takes it; the empty one leads nowhere."""
        if not path:
            raise failure(errno.ENOENT, path)
        return join(self.cwd, path)

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        """Open a file by the path a user gave."""
        return self.fs.open(self.path(path), access, permissions)

    def inputs(
        self,
        files: Iterable[str],
        says: str = "{name}: {why}",
        *,
        reading: str = "",
        default: str = "-",
    ) -> Iterator[Input]:
        """Each file in turn, `-` and no file at all being standard input.

        One that cannot be opened is warned of in the command's own words, and left out. `reading`
        has the words for one that can be opened but not read, a directory for example, where they
        are others.
        """
        reading = reading or says
        for name in files or (default,):
            if name == "-":
                yield Input(self, name, self.stdin, reading)
                continue
            try:
                reader = reader_of(self.open(name))
            except IsADirectoryError as error:
                reader = Reader(raising(error))
            except OSError as error:
                self.warn(says.format(name=shown(name), quoted=quoted(name), why=why(error)))
                continue
            try:
                yield Input(self, name, reader, reading)
            finally:
                reader.close()


class Input:
    """One of a command's inputs: its name as given, and its text."""

    __slots__ = ("_call", "_reader", "_says", "name")

    def __init__(self, call: Call, name: str, reader: Reader, says: str) -> None:
        self._call, self._reader, self._says = call, reader, says
        self.name = name

    @property
    def title(self) -> str:
        """The name as messages and headers show it."""
        return "standard input" if self.name == "-" else self.name

    def chunks(self) -> Iterator[str]:
        """The text in chunks; where reading fails it ends, with a warning."""
        return self._guarded(self._reader.chunks())

    def lines(self, end: str = "\n") -> Iterator[str]:
        """The text in lines, each with its newline, or with the one character that ends them."""
        return self._guarded(self._reader.lines(end))

    def read(self) -> str:
        """The whole text."""
        return "".join(self.chunks())

    def unread(self, text: str) -> None:
        """Give back the end of the last chunk, which the next command may want."""
        self._reader.unread(text)

    def _guarded(self, texts: Iterator[str]) -> Iterator[str]:
        tick = self._call.tick
        try:
            for text in texts:
                tick()
                yield text
        except OSError as error:
            name, title = shown(self.name), quoted(self.title)
            self._call.warn(self._says.format(name=name, quoted=title, why=why(error)))


def raising(error: OSError) -> Iterator[str]:
    """A text whose reading fails: that of a directory, which a kernel opens."""
    yield from ()
    raise error


def why(error: OSError) -> str:
    """What the kernel calls an error."""
    return os.strerror(error.errno) if error.errno else str(error)
