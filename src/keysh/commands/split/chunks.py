"""Cutting into a number of pieces: by size, by size between lines, and line by line in turn."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def chunks(data: bytes, mark: bytes, many: int, manner: str) -> Iterator[bytes]:
    """Pieces of the same size, the last with what is left; with "l" each ends where a line does.

    Of fewer bytes than pieces each goes into one of its own, and the last ones are empty.
    """
    size, start = max(1, len(data) // many), 0
    for number in range(1, many + 1):
        end = len(data) if number == many else number * size
        if manner and number < many:
            end = data.find(mark, max(0, end - 1)) + 1 or len(data)
        yield data[start:end]
        start = max(start, end)


def in_turn(data: bytes, mark: bytes, many: int) -> Iterator[bytes]:
    """Pieces to each of which a line goes in turn."""
    lines = data.split(mark)
    last = lines.pop()
    ended = [line + mark for line in lines] + ([last] if last else [])
    for start in range(many):
        yield b"".join(ended[start::many])
