"""The outputs of sed: standard output or the edited file, and the files of `w`."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text, decode_chunks, lines
from keysh.tools.sed.limit import PANIC_STATUS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call, CommandFailure
    from keysh.vfs.stream import Stream

STDOUT_PATH = "/dev/stdout"


class SedOutput:
    """Collects output in `lines`, without newlines, until it is taken.

    A last line that lacked its newline in the input is left open: it gets one if more follows.
    """

    __slots__ = ("_end", "_is_open", "_open_at", "_pieces", "held", "lines")

    def __init__(self, line_end: str) -> None:
        self._end = line_end
        self.lines: list[str] = []
        self._pieces: list[str] = []  # the text before the lines
        self._is_open = False  # whether the text before `lines` lacks a newline
        self._open_at = 0  # the number of lines up to the one without a newline
        self.held = 0  # characters in the pieces

    def leave_open(self) -> None:
        """Note that the last line has no newline."""
        self._open_at = len(self.lines)

    def copy(self, text: str) -> None:
        """Write lines with their newlines, which the last one may lack."""
        self.lines.append(text.removesuffix(self._end))
        if not text.endswith(self._end):
            self.leave_open()

    def raw(self, text: str) -> None:
        """Write text of a file that need not consist of whole lines."""
        self.join_lines()
        if self._is_open:
            self._pieces.append(self._end)
        self._pieces.append(text)
        self.held += len(text)
        self._is_open = False

    def join_lines(self) -> None:
        """Join the lines to a piece."""
        pending_lines = self.lines
        if not pending_lines:
            return
        if self._is_open:
            self._pieces.append(self._end)
        self._is_open = self._open_at == len(pending_lines)
        if not self._is_open:
            pending_lines.append("")
        self._pieces.append(self._end.join(pending_lines))
        pending_lines.clear()
        self._open_at = 0

    def take(self) -> str:
        """Return all output since the last call."""
        self.join_lines()
        pieces, self._pieces, self.held = self._pieces, [], 0
        return "".join(pieces)


class SedFiles:
    """The files that a script writes with `w`, and those that it reads with `r` and `R`."""

    __slots__ = ("_end", "_read", "_sh", "_streams", "_written")

    def __init__(self, sh: Call, paths: list[str], line_end: str, *, edits: bool) -> None:
        self._sh, self._end = sh, line_end
        self._written: dict[str, tuple[SedOutput, Callable[[str], object]]] = {}
        self._streams: list[Stream] = []
        self._read: dict[str, Iterator[str]] = {}
        for path in paths:
            if path not in self._written and (edits or path != STDOUT_PATH):
                self._written[path] = (SedOutput(line_end), self.open_writer(path))

    def open_writer(self, path: str) -> Callable[[str], object]:
        """Open a file; returns a function that writes to it."""
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
        """Return the output that `w` writes to."""
        return self._written[path][0] if path in self._written else standard

    def flush(self) -> None:
        """Write the collected output to the files."""
        for output, write in self._written.values():
            if text := output.take():
                write(text)

    def next_line(self, path: str) -> str | None:
        """Return the next line of a file for `R`; None at its end."""
        self.flush()
        remaining = self._read.get(path)
        if remaining is None:
            remaining = self._read[path] = lines(
                self.read_chunks(path), self._sh.check_size, self._end
            )
        return next(remaining, None)

    def rewind(self) -> None:
        """Read the files of `R` from the start again."""
        self._read.clear()

    def read_chunks(self, path: str) -> Iterator[str]:
        """Yield the text of a file in chunks; nothing if it cannot be opened."""
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
    """Return a function that writes to a file, and fails with a message if that is impossible."""

    def write(text: str) -> None:
        try:
            stream.write(bytes_of_text(text))
        except OSError as error:
            raise sh.fail(f"couldn't flush {path}: {os_error_text(error)}", PANIC_STATUS) from None

    return write
