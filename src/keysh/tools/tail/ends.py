"""The last lines or bytes of an input, or all from a given line or byte on."""

from __future__ import annotations

from collections import deque

from keysh.text.chunks import bytes_of_text, text_of_bytes, text_of_chunk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.text.chunks import LineBlock


def last_lines(chunks: Iterable[str | LineBlock], count: int, terminator: str) -> Iterator[str]:
    """Yield the last lines; chunks that cannot contain them are dropped on the way."""
    pending: deque[tuple[str | LineBlock, int]] = deque()
    total = 0
    for chunk in chunks:
        line_count = chunk.count(terminator)
        pending.append((chunk, line_count))
        total += line_count
        # Keep one more, because the last line may lack its end.
        while total - pending[0][1] > count:
            total -= pending.popleft()[1]
    text = "".join([text_of_chunk(chunk) for chunk, _ in pending])
    last_start = len(text)
    if not text.endswith(terminator) and count:
        last_start, count = text.rfind(terminator) + 1, count - 1
    surplus = text.count(terminator, 0, last_start) - count
    if surplus > 0:
        begin = last_start if not count else 0
        for _ in range(surplus if count else 0):
            begin = text.index(terminator, begin) + 1
        text = text[begin:]
    yield text


def last_bytes(chunks: Iterable[str], count: int) -> Iterator[str]:
    """Yield the last bytes, which may begin inside a character."""
    pending: deque[bytes] = deque()
    total = 0
    for chunk in chunks:
        data = bytes_of_text(chunk)
        pending.append(data)
        total += len(data)
        while total - len(pending[0]) >= count and len(pending) > 1:
            total -= len(pending.popleft())
    data = b"".join(pending)
    yield text_of_bytes(data[len(data) - min(count, len(data)) :])


def lines_from(chunks: Iterable[str], number: int, terminator: str) -> Iterator[str]:
    """Yield all from line `number` on."""
    to_skip = max(0, number - 1)
    for chunk in chunks:
        line_count = chunk.count(terminator) if to_skip else 0
        if to_skip > line_count:
            to_skip -= line_count
            continue
        position = 0
        for _ in range(to_skip):
            position = chunk.index(terminator, position) + 1
        to_skip = 0
        yield chunk[position:]


def bytes_from(chunks: Iterable[str], number: int) -> Iterator[str]:
    """Yield all from byte `number` on."""
    to_skip = max(0, number - 1)
    for chunk in chunks:
        if not to_skip:
            yield chunk
            continue
        data = bytes_of_text(chunk)
        yield text_of_bytes(data[to_skip:])
        to_skip -= min(to_skip, len(data))
