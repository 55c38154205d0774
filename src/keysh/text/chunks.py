r"""Chunks of text: decode bytes, split lines, and count in octets.

A chunk is a non-empty `str` of any length. Invalid UTF-8 is kept as surrogates, so that all bytes
survive a round trip. Only "\n" ends a line. A line includes its newline, which the last one may
lack.
"""

from __future__ import annotations

from encodings.utf_8 import IncrementalDecoder
from sys import getsizeof

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence


FIRST_CHUNK_BYTES, MAX_CHUNK_BYTES = 4096, 65536
LINES_PER_BATCH = 512
MAX_SLICE_CHARACTERS = 1 << 20  # encoded in one step
EMPTY_TEXT_BYTES = getsizeof("")


class Decoder(IncrementalDecoder):
    """Decodes UTF-8 in pieces; a character may be divided between them."""

    def __init__(self, errors: str = "surrogateescape") -> None:
        super().__init__(errors)

    def finish(self) -> str:
        """Return what remains of an incomplete character at the end."""
        return self.decode(b"", True)


def decode_chunks(read: Callable[[int], bytes]) -> Iterator[str]:
    """Yield the text of a byte source, in chunks that start small for a quick first result."""
    decoder = Decoder()
    for data in read_chunks(read):
        if text := decoder.decode(data):
            yield text
    if text := decoder.finish():
        yield text


def read_chunks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield the rest of a byte source, in pieces that start small."""
    size = FIRST_CHUNK_BYTES
    while data := read(size):
        yield data
        size = min(size * 2, MAX_CHUNK_BYTES)


def bytes_of_text(text: str) -> bytes:
    """Encode text; surrogates become the bytes they stand for."""
    return text.encode("utf-8", "surrogateescape")


def text_of_bytes(data: bytes) -> str:
    """Decode bytes of any kind; `bytes_of_text` restores them."""
    return data.decode("utf-8", "surrogateescape")


def starts_mid_character(text: str) -> bool:
    """Whether a string starts with a byte that may complete a preceding character."""
    return "\udc80" <= text[:1] <= "\udcbf"


def join_text(text: str, rest: str) -> str:
    """Concatenate two strings, decoding a character whose bytes were divided between them.

    A character has at most four bytes, so only three on either side need a look.
    """
    return text[:-3] + rejoin_characters(text[-3:] + rest[:3]) + rest[3:]


def rejoin_characters(text: str) -> str:
    """Decode characters whose bytes are in a string as surrogates."""
    return text_of_bytes(bytes_of_text(text))


class LineBlock:
    """A chunk of whole lines in octets, as one string or as a list of lines without newlines.

    It is decoded only when text is needed. Between two commands that both work on octets it stays
    as it is, so that lines need not be split again; the reader then owns the list.
    """

    __slots__ = ("_lines", "_octets")

    def __init__(self, content: str | list[str]) -> None:
        self._octets = content if isinstance(content, str) else ""
        self._lines = None if isinstance(content, str) else content

    def lines(self) -> list[str]:
        """Return the lines without newlines."""
        return self._octets[:-1].split("\n") if self._lines is None else self._lines

    def octets(self) -> str:
        """Return the chunk with one character for each byte."""
        return self._octets if self._lines is None else "\n".join(self._lines) + "\n"

    def data(self) -> bytes:
        """Return the chunk as bytes."""
        return self.octets().encode("latin-1")

    def text(self) -> str:
        """Return the chunk as text."""
        octets = self.octets()
        return octets if octets.isascii() else text_of_bytes(octets.encode("latin-1"))

    def count(self, terminator: str) -> int:
        """Return how often a terminator occurs in the chunk."""
        if terminator != "\n" or self._lines is None:
            return (
                self.octets().count(terminator)
                if terminator.isascii()
                else self.text().count(terminator)
            )
        return len(self._lines)


def text_of_chunk(chunk: str | LineBlock) -> str:
    """Return a chunk as text."""
    return chunk.text() if isinstance(chunk, LineBlock) else chunk


def no_limit(size: int) -> None:
    """Accept a line of any size: it is part of a text that is in memory already."""


def lines(
    chunks: Iterable[str], check_size: Callable[[int], None], terminator: str = "\n"
) -> Iterator[str]:
    """Yield the lines, each with its terminator, which is one character.

    `check_size` is called with the bytes of a line that spans chunks, before it is put together.
    """
    pieces: list[str] = []  # of a line that spans chunks
    size = 0  # of the pieces
    for chunk in chunks:
        head, newline, rest = chunk.partition(terminator)
        if not newline:
            if chunk:
                size += text_bytes(chunk)
                check_size(size)
                pieces.append(chunk)
            continue
        yield "".join(pieces) + head + terminator
        pieces.clear()
        size = 0
        if rest:
            *whole, last = rest.split(terminator)
            for line in whole:
                yield line + terminator
            if last:
                pieces.append(last)
                size = text_bytes(last)
    if pieces:
        yield "".join(pieces)


def whole_lines(
    chunks: Iterable[str], check_size: Callable[[int], None], terminator: str = "\n"
) -> Iterator[str]:
    """Yield chunks that end at the end of a line, for filters that work on whole chunks.

    `check_size` is called as by `lines`.
    """
    pieces: list[str] = []
    size = 0
    for chunk in chunks:
        border = chunk.rfind(terminator) + 1
        if border == len(chunk) and not pieces:
            if chunk:
                yield chunk
            continue
        if not border:
            size += text_bytes(chunk)
            check_size(size)
            pieces.append(chunk)
            continue
        pieces.append(chunk[:border])
        yield "".join(pieces)
        pieces.clear()
        size = 0
        if border < len(chunk):
            pieces.append(chunk[border:])
            size = text_bytes(pieces[0])
    if pieces:
        yield "".join(pieces)


def bare_lines(
    chunks: Iterable[str | LineBlock],
    check_size: Callable[[int], None],
    terminator: str = "\n",
) -> Iterator[list[str]]:
    """Yield lists of lines without terminators.

    If there are line blocks among the chunks, the other chunks must be octets too, and the
    terminator a newline. `check_size` is called as by `lines`.
    """
    pieces: list[str] = []  # of a line that spans chunks
    size = 0
    for chunk in chunks:
        if isinstance(chunk, LineBlock):
            if not pieces:
                yield chunk.lines()
                continue
            chunk = chunk.octets()
        border = chunk.rfind(terminator)
        if border < 0:
            size += text_bytes(chunk)
            check_size(size)
            pieces.append(chunk)
            continue
        pieces.append(chunk[:border])
        yield "".join(pieces).split(terminator)
        pieces.clear()
        size = 0
        if border + 1 < len(chunk):
            pieces.append(chunk[border + 1 :])
            size = text_bytes(pieces[0])
    if pieces:
        yield ["".join(pieces)]


def join_chunks(chunks: Iterable[str], check_size: Callable[[int], None]) -> str:
    """Return all chunks as one text; `check_size` is called with its bytes as they come."""
    pieces: list[str] = []
    size = 0
    for chunk in chunks:
        size += text_bytes(chunk)
        check_size(size)
        pieces.append(chunk)
    return "".join(pieces)


def utf8_bytes(text: str) -> int:
    """Return the bytes of a text in UTF-8, as a value is measured."""
    size = len(text)
    if text.isascii():
        return size
    total = 0
    for start in range(0, size, MAX_SLICE_CHARACTERS):
        piece = text[start : start + MAX_SLICE_CHARACTERS]
        try:
            total += len(bytes_of_text(piece))
        except UnicodeEncodeError:  # a surrogate that stands for no byte
            total += len(piece.encode("utf-8", "surrogatepass"))
    return total


def text_bytes(text: str) -> int:
    """Return the bytes in which Python stores the characters of a text: 1, 2 or 4 for each."""
    return getsizeof(text) - EMPTY_TEXT_BYTES


def chunk_of(content: str | list[str], terminator: str) -> str | LineBlock:
    """Return octets of whole lines, or a list of lines without terminators, as a chunk."""
    if terminator == "\n":
        return LineBlock(content)
    octets = content if isinstance(content, str) else terminator.join([*content, ""])
    return text_of_bytes(octets.encode("latin-1"))


def pieces_of_lines(text: str, count: int) -> Iterator[str]:
    """Yield at most `count` lines at a time, for a command that adds much to each."""
    start = 0
    while start < len(text):
        end = start
        for _ in range(count):
            end = text.find("\n", end) + 1 or len(text)
            if end == len(text):
                break
        yield text[start:end]
        start = end


def batch_lines(lines: Iterable[str]) -> Iterator[str]:
    """Join lines to chunks."""
    batch: list[str] = []
    for line in lines:
        batch.append(line)
        if len(batch) == LINES_PER_BATCH:
            yield "".join(batch)
            batch.clear()
    if batch:
        yield "".join(batch)


# Octets: strings in which each character is one byte, for tools that count bytes.


def octets_of_text(text: str) -> str:
    """Return the bytes of a string, one character for each."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def text_of_octets(octets: str) -> str:
    """Return the text whose bytes these are."""
    if octets.isascii():
        return octets
    return octets.encode("latin-1").decode("utf-8", "surrogateescape")


def octets_of_bytes(data: bytes) -> str:
    """Return bytes as a string, one character for each."""
    return data.decode("latin-1")


# Joining columns row by row without a loop in Python.


def interleave(*columns: Sequence[str]) -> str:
    """Join the first strings of all columns, then the second ones. Columns are equally long."""
    count = len(columns)
    pieces = [""] * (count * len(columns[0]))
    for position, column in enumerate(columns):
        pieces[position::count] = column
    return "".join(pieces)
