"""Reader and Writer: the two ends that a command has of whatever it is connected to."""

from __future__ import annotations

from keysh.text.lines import decoded, encoded, lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.vfs.api import Stream


class Reader:
    """Text that comes in chunks. What is read is gone, whoever reads next goes on from there."""

    __slots__ = ("_chunks", "_close", "_rest")

    def __init__(self, chunks: Iterable[str], close: Callable[[], None] | None = None) -> None:
        self._chunks = iter(chunks)
        self._close = close
        self._rest = ""  # read from the chunks and not yet given out

    def __iter__(self) -> Iterator[str]:
        return self.chunks()

    def chunks(self) -> Iterator[str]:
        """All that is left, in chunks."""
        if self._rest:
            rest, self._rest = self._rest, ""
            yield rest
        # Not `yield from`: that would close the source when a reader of a part is dropped.
        for chunk in self._chunks:  # noqa: UP028
            yield chunk

    def lines(self, end: str = "\n") -> Iterator[str]:
        """All that is left, in lines."""
        return lines(self.chunks(), end)

    def read(self) -> str:
        """All that is left."""
        return "".join(self.chunks())

    def read_line(self, end: str = "\n") -> str:
        """One line with its end; without it, or empty, where the text is over."""
        pieces: list[str] = []
        for chunk in self.chunks():
            at = chunk.find(end)
            if at >= 0:
                pieces.append(chunk[: at + len(end)])
                self.unread(chunk[at + len(end) :])
                break
            pieces.append(chunk)
        return "".join(pieces)

    def unread(self, text: str) -> None:
        """Give back the end of the last chunk, for whoever reads next."""
        self._rest = text + self._rest

    def close(self) -> None:
        """Nothing more will be read."""
        if self._close is not None:
            close, self._close = self._close, None
            close()


class Writer:
    """Where text goes: `put` takes a chunk."""

    __slots__ = ("put",)

    def __init__(self, put: Callable[[str], object]) -> None:
        self.put = put

    def write(self, text: str) -> None:
        """Write text."""
        if text:
            self.put(text)

    def writelines(self, texts: Iterable[str]) -> None:
        """Write several."""
        for text in texts:
            self.put(text)


def reader_of(stream: Stream) -> Reader:
    """A reader of an open file, which it closes."""
    return Reader(decoded(stream.read), stream.close)


def writer_of(stream: Stream) -> Writer:
    """A writer to an open file."""
    return Writer(lambda text: stream.write(encoded(text)))
