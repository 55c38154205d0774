"""Chunks and lines: any bytes, cut anywhere, give the same text."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh.text.chunks import (
    FIRST_CHUNK_BYTES,
    MAX_CHUNK_BYTES,
    LineBlock,
    bare_lines,
    bytes_of_text,
    decode_chunks,
    lines,
    no_limit,
    text_of_chunk,
    whole_lines,
)

pytestmark = pytest.mark.quick

BYTES = st.binary(max_size=60) | st.lists(
    st.sampled_from([b"\n", b"\r\n", b"\0", b"a", "é".encode(), "€".encode(), "\U0001f600".encode(),
                     b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80", b"\xc0\x80", b"\x85"])
).map(b"".join)  # fmt: skip
CUTS = st.lists(st.integers(1, 7), min_size=1)


def source(data: bytes, sizes: list[int]) -> Callable[[int], bytes]:
    """A reader that returns the given numbers of bytes in turn."""
    pieces = cut(data, sizes)
    return lambda size: next(pieces, b"")


def cut(data: bytes, sizes: list[int]) -> Iterator[bytes]:
    at = i = 0
    while at < len(data):
        yield data[at : at + sizes[i % len(sizes)]]
        at, i = at + sizes[i % len(sizes)], i + 1


@given(data=BYTES, sizes=CUTS)
def test_bytes_survive_any_chunking(data: bytes, sizes: list[int]) -> None:
    chunks = list(decode_chunks(source(data, sizes)))
    assert all(chunks)
    assert bytes_of_text("".join(chunks)) == data


@given(data=BYTES, sizes=CUTS)
def test_characters_are_never_split(data: bytes, sizes: list[int]) -> None:
    whole = data.decode("utf-8", "surrogateescape")
    assert "".join(decode_chunks(source(data, sizes))) == whole


@given(data=BYTES, sizes=CUTS, end=st.sampled_from(["\n", "\0"]))
def test_lines_are_those_of_the_whole_text(data: bytes, sizes: list[int], end: str) -> None:
    result = list(lines(decode_chunks(source(data, sizes)), no_limit, end))
    assert [bytes_of_text(line) for line in result] == [
        piece for piece in split(data, end.encode()) if piece
    ]


@given(data=BYTES, sizes=CUTS, end=st.sampled_from(["\n", "\0"]))
def test_bare_lines_are_those_of_the_whole_text(data: bytes, sizes: list[int], end: str) -> None:
    chunks = (piece.decode("latin-1") for piece in cut(data, sizes))
    result = [line.encode("latin-1") for some in bare_lines(chunks, no_limit, end) for line in some]
    bare = data.removesuffix(end.encode())
    assert result == (bare.split(end.encode()) if data else [])


@given(
    pieces=st.lists(st.tuples(BYTES, st.booleans()), max_size=6),
)
def test_lines_of_line_blocks_are_those_of_their_texts(pieces: list[tuple[bytes, bool]]) -> None:
    """A line block may follow text that ends within a line."""
    chunks: list[str | LineBlock] = []
    for data, is_sheaf in pieces:
        octets = data.decode("latin-1")
        if is_sheaf:
            chunks.append(LineBlock(octets.split("\n") if len(octets) % 2 else octets + "\n"))
        elif octets:
            chunks.append(octets)
    whole = "".join(one.octets() if isinstance(one, LineBlock) else one for one in chunks)
    result = [line for some in bare_lines(chunks, no_limit) for line in some]
    assert result == (whole.removesuffix("\n").split("\n") if whole else [])


@given(data=BYTES)
def test_line_block_is_a_chunk_of_text(data: bytes) -> None:
    octets = data.decode("latin-1")
    for sheaf in (LineBlock(octets.split("\n")), LineBlock(octets + "\n")):
        assert sheaf.data() == bytes_of_text(sheaf.text()) == data + b"\n"
        assert sheaf.text() == text_of_chunk(sheaf)
        assert sheaf.lines() == octets.split("\n")
        for end in ("\n", "a", "é"):
            assert sheaf.count(end) == text_of_chunk(sheaf).count(end)


def split(data: bytes, end: bytes) -> list[bytes]:
    *whole, last = data.split(end)
    return [line + end for line in whole] + [last]


@given(data=BYTES, sizes=CUTS)
def test_whole_lines_end_at_line_ends(data: bytes, sizes: list[int]) -> None:
    chunks = list(whole_lines(decode_chunks(source(data, sizes)), no_limit))
    assert bytes_of_text("".join(chunks)) == data
    assert all(chunk.endswith("\n") for chunk in chunks[:-1])
    assert all(chunks)


def test_chunks_start_small_and_grow() -> None:
    requests: list[int] = []

    def read(size: int) -> bytes:
        requests.append(size)
        return b"x" * size if len(requests) < 8 else b""

    assert len("".join(decode_chunks(read))) == sum(requests[:-1])
    assert requests[:2] == [FIRST_CHUNK_BYTES, 2 * FIRST_CHUNK_BYTES]
    assert requests[-1] == MAX_CHUNK_BYTES


def test_nothing_is_read_ahead() -> None:
    requests = 0

    def read(size: int) -> bytes:
        nonlocal requests
        requests += 1
        return b"line\n" * 3

    result = lines(decode_chunks(read), no_limit)
    assert requests == 0
    assert [next(result) for _ in range(3)] == ["line\n"] * 3
    assert requests == 1


@pytest.mark.parametrize("cutter", [lines, whole_lines])
def test_a_line_of_20_megabytes_is_joined_once(
    cutter: Callable[[Iterator[str], Callable[[int], None]], Iterator[str]],
) -> None:
    # Joined at every chunk, it would be copied 300,000 times: that takes hours.
    chunk, count = "x" * 64, 20_000_000 // 64
    result = list(cutter(iter([*[chunk] * count, "\nrest"]), no_limit))
    assert [len(line) for line in result] == [count * 64 + 1, 4]


@settings(max_examples=50)
@given(st.lists(st.text(alphabet="a\n", max_size=5)))
def test_empty_chunks_are_harmless(chunks: list[str]) -> None:
    text = "".join(chunks)
    assert "".join(lines(chunks, no_limit)) == text
    assert list(lines(chunks, no_limit)) == text.splitlines(keepends=True)
    assert "".join(whole_lines(chunks, no_limit)) == text
