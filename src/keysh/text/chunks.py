"""Chunks and lines: bytes become chunks of text, chunks become lines.

A chunk is a `str` of any length but 0. Bytes that are no UTF-8 stand as surrogates, so whatever
comes in goes out again. Only "\\n" ends a line, and a line keeps it: the last one of a text may
have none.
"""

from __future__ import annotations

from codecs import getincrementaldecoder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


FIRST_CHUNK_BYTES, MAX_CHUNK_BYTES = 4096, 65536  # bytes of the first chunk, and of the later ones
LINES_PER_BATCH = 512  # lines that are given out at once


def decode_chunks(read: Callable[[int], bytes]) -> Iterator[str]:
    """The text of a byte source, in chunks that begin small, so that a first answer comes early."""
    decoder = getincrementaldecoder("utf-8")("surrogateescape")
    for data in read_chunks(read):
        if text := decoder.decode(data):
            yield text
    if text := decoder.decode(b"", True):
        yield text


def read_chunks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """All that a byte source has left, in pieces that begin small."""
    size = FIRST_CHUNK_BYTES
    while data := read(size):
        yield data
        size = min(size * 2, MAX_CHUNK_BYTES)


def bytes_of_text(text: str) -> bytes:
    """A chunk as bytes."""
    return text.encode("utf-8", "surrogateescape")


def text_of_bytes(data: bytes) -> str:
    """Bytes as text, of which `encoded` makes the same bytes again, whatever they are."""
    return data.decode("utf-8", "surrogateescape")


def starts_mid_character(text: str) -> bool:
    """Whether a text begins with a byte that may end a character which another text has begun."""
    return "\udc80" <= text[:1] <= "\udcbf"


def join_text(text: str, rest: str) -> str:
    """A text with a rest behind it: what bytes on both sides make together is a character now.

    That has four bytes at the most, so only what is beside the border is looked at.
    """
    return text[:-3] + rejoin_characters(text[-3:] + rest[:3]) + rest[3:]


def rejoin_characters(text: str) -> str:
    """A text in which bytes that make a character together have become it."""
    return text_of_bytes(bytes_of_text(text))


class LineBlock:
    """A chunk of whole lines in octets, as a text or as lines without newlines.

    It becomes text where text is wanted. Between commands that both work on octets it does not, and
    what the one has as lines the other need not cut; the list is that one's own then.
    """

    __slots__ = ("_lines", "_octets")

    def __init__(self, found: str | list[str]) -> None:
        self._octets = found if isinstance(found, str) else ""
        self._lines = None if isinstance(found, str) else found

    def lines(self) -> list[str]:
        """The lines, without their newlines."""
        return self._octets[:-1].split("\n") if self._lines is None else self._lines

    def octets(self) -> str:
        """The chunk, with a character for each byte."""
        return self._octets if self._lines is None else "\n".join(self._lines) + "\n"

    def data(self) -> bytes:
        """The chunk in bytes."""
        return self.octets().encode("latin-1")

    def text(self) -> str:
        """The chunk."""
        found = self.octets()
        return found if found.isascii() else text_of_bytes(found.encode("latin-1"))

    def count(self, end: str) -> int:
        """How often something is in the chunk."""
        if end != "\n" or self._lines is None:
            return self.octets().count(end) if end.isascii() else self.text().count(end)
        return len(self._lines)


def text_of_chunk(chunk: str | LineBlock) -> str:
    """A chunk as text."""
    return chunk.text() if isinstance(chunk, LineBlock) else chunk


def lines(chunks: Iterable[str], end: str = "\n") -> Iterator[str]:
    """The lines of a text, each with its newline, or with the one character that ends them."""
    pieces: list[str] = []  # of a line that reaches over chunks
    for chunk in chunks:
        head, newline, rest = chunk.partition(end)
        if not newline:
            if chunk:
                pieces.append(chunk)
            continue
        yield "".join(pieces) + head + end
        pieces.clear()
        if rest:
            *whole, last = rest.split(end)
            for line in whole:
                yield line + end
            if last:
                pieces.append(last)
    if pieces:
        yield "".join(pieces)


def whole_lines(chunks: Iterable[str], end: str = "\n") -> Iterator[str]:
    """A text in chunks that end where a line does, for filters that work on whole chunks."""
    pieces: list[str] = []
    for chunk in chunks:
        border = chunk.rfind(end) + 1
        if border == len(chunk) and not pieces:
            if chunk:
                yield chunk
            continue
        if not border:
            pieces.append(chunk)
            continue
        pieces.append(chunk[:border])
        yield "".join(pieces)
        pieces.clear()
        if border < len(chunk):
            pieces.append(chunk[border:])
    if pieces:
        yield "".join(pieces)


def bare_lines(chunks: Iterable[str | LineBlock], end: str = "\n") -> Iterator[list[str]]:
    """The lines in lists, without their ends, for filters that end each line themselves.

    Where sheaves are among the chunks, the others are octets too, and newlines end the lines.
    """
    pieces: list[str] = []  # of a line that reaches over chunks
    for chunk in chunks:
        if isinstance(chunk, LineBlock):
            if not pieces:
                yield chunk.lines()
                continue
            chunk = chunk.octets()
        border = chunk.rfind(end)
        if border < 0:
            pieces.append(chunk)
            continue
        pieces.append(chunk[:border])
        yield "".join(pieces).split(end)
        pieces.clear()
        if border + 1 < len(chunk):
            pieces.append(chunk[border + 1 :])
    if pieces:
        yield ["".join(pieces)]


def chunk_of(found: str | list[str], end: str) -> str | LineBlock:
    """What is found as a chunk: octets of whole lines, or such lines without their ends."""
    if end == "\n":
        return LineBlock(found)
    octets = found if isinstance(found, str) else end.join([*found, ""])
    return text_of_bytes(octets.encode("latin-1"))


def batch_lines(lines: Iterable[str]) -> Iterator[str]:
    """Lines joined to chunks."""
    held: list[str] = []
    for line in lines:
        held.append(line)
        if len(held) == LINES_PER_BATCH:
            yield "".join(held)
            held.clear()
    if held:
        yield "".join(held)


# Octets: text in which each character is one byte, for what GNU's tools count in bytes.


def octets_of_text(text: str) -> str:
    """A text's bytes, each as the character of its number."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def text_of_octets(octets: str) -> str:
    """The text that has these bytes."""
    if octets.isascii():
        return octets
    return octets.encode("latin-1").decode("utf-8", "surrogateescape")


def octets_of_bytes(data: bytes) -> str:
    """Bytes as text, a character for each."""
    return data.decode("latin-1")


# Weaving: columns of texts become one text, row by row, without a step of Python's for any row.


def interleave(*columns: Sequence[str]) -> str:
    """The first texts of all columns, then the second ones; all columns are as long."""
    count = len(columns)
    pieces = [""] * (count * len(columns[0]))
    for at, column in enumerate(columns):
        pieces[at::count] = column
    return "".join(pieces)
