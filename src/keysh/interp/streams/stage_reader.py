"""StageReader: reads the chunks that a generator stage of a pipeline yields."""

from __future__ import annotations

from itertools import chain

from keysh.interp.streams.streams import Reader
from keysh.text.chunks import LineBlock, bytes_of_text, octets_of_text, text_of_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class StageReader(Reader):
    """A reader of yielded text and line blocks, which it passes to line readers unsplit."""

    __slots__ = ("_yielded",)

    def __init__(self, yielded: Iterator[str | LineBlock]) -> None:
        self._yielded = yielded
        super().__init__(map(text_of_chunk, yielded))

    def data(self) -> Iterator[bytes]:
        return (
            chunk.data() if isinstance(chunk, LineBlock) else bytes_of_text(chunk)
            for chunk in self.countable_chunks()
        )

    def octets(self) -> Iterator[str]:
        return (
            chunk.octets() if isinstance(chunk, LineBlock) else octets_of_text(chunk)
            for chunk in self.countable_chunks()
        )

    def line_blocks(self) -> Iterator[str | LineBlock]:
        return (
            chunk if isinstance(chunk, LineBlock) else octets_of_text(chunk)
            for chunk in self.countable_chunks()
        )

    def newlines(self) -> Iterator[int]:
        return (chunk.count("\n") for chunk in self.countable_chunks())

    def countable_chunks(self) -> Iterator[str | LineBlock]:
        rest = self._take_rest()
        return chain((rest,), self._yielded) if rest else self._yielded
