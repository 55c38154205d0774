"""Where sed writes: standard output or a file that is edited, and the files of `w`."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.text.lines import decoded, encoded, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.runtime.call import Call
    from keysh.vfs.api import Stream

BATCH = 65536  # characters that are kept before they are handed on


class Output:
    """Text on its way. A last line without its newline gets one when more comes."""

    __slots__ = ("_end", "_is_open", "_length", "_pieces", "_put")

    def __init__(self, put: Callable[[str], object], end: str) -> None:
        self._put, self._end = put, end
        self._pieces: list[str] = []
        self._length = 0
        self._is_open = False  # whether the last line lacks its end

    def write(self, text: str, end: str) -> None:
        """Write a text and what ends it, which may be nothing."""
        if self._is_open:
            self._pieces.append(self._end)
        self._pieces.append(text)
        self._pieces.append(end)
        self._is_open = not end
        self._length += len(text) + 1
        if self._length > BATCH:
            self.flush()

    def copy(self, text: str) -> None:
        """Write a text as it is."""
        if text:
            self.write(text.removesuffix(self._end), self._end * text.endswith(self._end))

    def copy_raw(self, text: str) -> None:
        """Write a piece of a file, whose end says nothing of lines."""
        self.write(text, "")
        self._is_open = False

    def flush(self) -> None:
        """Hand on what has been written."""
        text = "".join(self._pieces)
        self._pieces.clear()
        self._length = 0
        self._put(text)


class Files:
    """The files that a script writes, and those it reads line by line with `R`."""

    __slots__ = ("_end", "_read", "_sh", "_streams", "_written")

    def __init__(self, sh: Call, paths: list[str], end: str) -> None:
        self._sh, self._end = sh, end
        self._written: dict[str, Output] = {}
        self._streams: list[Stream] = []
        self._read: dict[str, Iterator[str]] = {}
        for path in paths:
            if path == "/dev/stderr" and path not in self._written:
                self._written[path] = Output(sh.err.write, end)
            elif path not in ("", "/dev/stdout") and path not in self._written:
                try:
                    stream = sh.open(path, "w")
                except OSError as error:
                    raise sh.fail(f"couldn't open file {path}: {why(error)}", 4) from None
                self._streams.append(stream)
                self._written[path] = Output(writing(stream), end)

    def output(self, path: str, standard: Output) -> Output:
        """Where `w` writes to."""
        return self._written.get(path, standard)

    def line_of(self, path: str) -> str | None:
        """The next line of a file that is read by `R`."""
        found = self._read.get(path)
        if found is None:
            found = self._read[path] = lines(self.text_of(path), self._end)
        return next(found, None)

    def rewind(self) -> None:
        """Begin to read the files of `R` again."""
        self._read.clear()

    def text_of(self, path: str) -> Iterator[str]:
        """The text of a file, in chunks; nothing where it cannot be read."""
        if path == "/dev/stdin":
            yield from self._sh.stdin.chunks()
            return
        try:
            with self._sh.open(path) as stream:
                yield from decoded(stream.read)
        except OSError:
            return

    def close(self) -> None:
        for output in self._written.values():
            output.flush()
        for stream in self._streams:
            stream.close()


def writing(stream: Stream) -> Callable[[str], object]:
    return lambda text: stream.write(encoded(text))
