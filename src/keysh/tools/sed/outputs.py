"""Where sed writes: standard output or a file that is edited, and the files of `w`."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text, decode_chunks, lines
from keysh.tools.sed.limit import PANIC_STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call, CommandFailure
    from keysh.vfs.api import Stream

STDOUT_PATH = "/dev/stdout"


class SedOutput:
    """Text on its way, kept in `lines` without their ends until it is `taken`.

    A last line that lacked its end where it was read is left open: it gets one when more comes.
    """

    __slots__ = ("_end", "_is_open", "_open_at", "_pieces", "held", "lines")

    def __init__(self, end: str) -> None:
        self._end = end
        self.lines: list[str] = []
        self._pieces: list[str] = []  # what is before the lines
        self._is_open = False  # whether a line in front of `lines` lacks its end
        self._open_at = 0  # the number of lines of which the last lacks its end
        self.held = 0  # characters in the pieces

    def leave_open(self) -> None:
        """The last of the lines has no end."""
        self._open_at = len(self.lines)

    def copy(self, text: str) -> None:
        """Write lines that have their ends, all but perhaps the last one."""
        self.lines.append(text.removesuffix(self._end))
        if not text.endswith(self._end):
            self.leave_open()

    def raw(self, text: str) -> None:
        """Write a piece of a file, whose end says nothing of lines."""
        self.join_lines()
        if self._is_open:
            self._pieces.append(self._end)
        self._pieces.append(text)
        self.held += len(text)
        self._is_open = False

    def join_lines(self) -> None:
        """Make a piece of the lines."""
        written = self.lines
        if not written:
            return
        if self._is_open:
            self._pieces.append(self._end)
        self._is_open = self._open_at == len(written)
        if not self._is_open:
            written.append("")
        self._pieces.append(self._end.join(written))
        written.clear()
        self._open_at = 0

    def taken(self) -> str:
        """All that has been written since this was called last."""
        self.join_lines()
        pieces, self._pieces, self.held = self._pieces, [], 0
        return "".join(pieces)


class SedFiles:
    """The files that a script writes, and those it reads line by line with `R`."""

    __slots__ = ("_end", "_read", "_sh", "_streams", "_written")

    def __init__(self, sh: Call, paths: list[str], end: str, *, edits: bool) -> None:
        self._sh, self._end = sh, end
        self._written: dict[str, tuple[SedOutput, Callable[[str], object]]] = {}
        self._streams: list[Stream] = []
        self._read: dict[str, Iterator[str]] = {}
        for path in paths:
            if path not in self._written and (edits or path != STDOUT_PATH):
                self._written[path] = (SedOutput(end), self.open_writer(path))

    def open_writer(self, path: str) -> Callable[[str], object]:
        """What writes to a file."""
        if path == STDOUT_PATH:
            return self._sh.out.write
        if path == "/dev/stderr":
            return self._sh.err.write
        try:
            stream = self._sh.open(path, "w")
        except OSError as error:
            raise self._sh.fail(
                f"couldn't open file {path}: {os_error_text(error)}", PANIC_STATUS
            ) from None
        self._streams.append(stream)
        return file_writer(self._sh, path, stream)

    def output(self, path: str, standard: SedOutput) -> SedOutput:
        """Where `w` writes to."""
        return self._written[path][0] if path in self._written else standard

    def flush(self) -> None:
        """Hand on what has been written."""
        for output, write in self._written.values():
            if text := output.taken():
                write(text)

    def next_line(self, path: str) -> str | None:
        """The next line of a file that is read by `R`."""
        self.flush()
        found = self._read.get(path)
        if found is None:
            found = self._read[path] = lines(self.read_chunks(path), self._end)
        return next(found, None)

    def rewind(self) -> None:
        """Begin to read the files of `R` again."""
        self._read.clear()

    def read_chunks(self, path: str) -> Iterator[str]:
        """The text of a file, in chunks; nothing where it cannot be read."""
        self.flush()
        if path == "/dev/stdin":
            yield from self._sh.stdin.chunks()
            return
        try:
            stream = self._sh.open(path)
        except IsADirectoryError as error:
            raise self._read_failure(path, error) from None
        except OSError:
            return
        try:
            with stream:
                yield from decode_chunks(stream.read)
        except OSError as error:
            raise self._read_failure(path, error) from None

    def _read_failure(self, path: str, error: OSError) -> CommandFailure:
        return self._sh.fail(f"read error on {path}: {os_error_text(error)}", PANIC_STATUS)

    def close(self) -> None:
        self.flush()
        for stream in self._streams:
            stream.close()


def file_writer(sh: Call, path: str, stream: Stream) -> Callable[[str], object]:
    """What writes to a file, or says why it cannot."""

    def write(text: str) -> None:
        try:
            stream.write(bytes_of_text(text))
        except OSError as error:
            raise sh.fail(f"couldn't flush {path}: {os_error_text(error)}", PANIC_STATUS) from None

    return write
