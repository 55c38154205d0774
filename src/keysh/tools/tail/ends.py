"""Ends: the last lines or bytes of an input, and all from a line or a byte on."""

from __future__ import annotations

from collections import deque

from keysh.text.chunks import bytes_of_text, text_of_bytes, text_of_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.text.chunks import LineBlock


def last_lines(chunks: Iterable[str | LineBlock], count: int, end: str) -> Iterator[str]:
    """So many lines; what cannot be among them is dropped on the way."""
    held: deque[tuple[str | LineBlock, int]] = deque()
    total = 0
    for chunk in chunks:
        found = chunk.count(end)
        held.append((chunk, found))
        total += found
        # One more is kept, for the last line may have no end.
        while total - held[0][1] > count:
            total -= held.popleft()[1]
    text = "".join([text_of_chunk(chunk) for chunk, _ in held])
    at = len(text)
    if not text.endswith(end) and count:
        at, count = text.rfind(end) + 1, count - 1
    surplus = text.count(end, 0, at) - count
    if surplus > 0:
        begin = at if not count else 0
        for _ in range(surplus if count else 0):
            begin = text.index(end, begin) + 1
        text = text[begin:]
    yield text


def last_bytes(chunks: Iterable[str], count: int) -> Iterator[str]:
    """So many bytes, the first of which may be a part of a character."""
    held: deque[bytes] = deque()
    total = 0
    for chunk in chunks:
        data = bytes_of_text(chunk)
        held.append(data)
        total += len(data)
        while total - len(held[0]) >= count and len(held) > 1:
            total -= len(held.popleft())
    data = b"".join(held)
    yield text_of_bytes(data[len(data) - min(count, len(data)) :])


def lines_from(chunks: Iterable[str], number: int, end: str) -> Iterator[str]:
    """All from a line on."""
    left = max(0, number - 1)
    for chunk in chunks:
        found = chunk.count(end) if left else 0
        if left > found:
            left -= found
            continue
        at = 0
        for _ in range(left):
            at = chunk.index(end, at) + 1
        left = 0
        yield chunk[at:]


def bytes_from(chunks: Iterable[str], number: int) -> Iterator[str]:
    """All from a byte on."""
    left = max(0, number - 1)
    for chunk in chunks:
        if not left:
            yield chunk
            continue
        data = bytes_of_text(chunk)
        yield text_of_bytes(data[left:])
        left -= min(left, len(data))
