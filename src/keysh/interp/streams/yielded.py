"""Handing on: what a stage of a pipeline yields, as the next one reads it."""

from __future__ import annotations

from itertools import chain

from keysh.interp.streams.streams import Reader
from keysh.text.chunks import Sheaf, as_text, encoded, octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


class Handed(Reader):
    """Reads what a command yields: text, and lines that need not be cut for who reads lines."""

    __slots__ = ("_yielded",)

    def __init__(self, yielded: Iterator[str | Sheaf]) -> None:
        self._yielded = yielded
        super().__init__(map(as_text, yielded))

    def data(self) -> Iterator[bytes]:
        return (
            chunk.data() if isinstance(chunk, Sheaf) else encoded(chunk)
            for chunk in self.countable()
        )

    def octets(self) -> Iterator[str]:
        return (
            chunk.octets() if isinstance(chunk, Sheaf) else octets(chunk)
            for chunk in self.countable()
        )

    def sheaves(self) -> Iterator[str | Sheaf]:
        return (chunk if isinstance(chunk, Sheaf) else octets(chunk) for chunk in self.countable())

    def newlines(self) -> Iterator[int]:
        return (chunk.count("\n") for chunk in self.countable())

    def countable(self) -> Iterator[str | Sheaf]:
        rest = self._taken()
        return chain((rest,), self._yielded) if rest else self._yielded
