"""Cutting as the text comes: by lines, by bytes, and by lines that fit into so many bytes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.commands.split.pieces import Pieces


def by_lines(pieces: Pieces, data: Iterable[bytes], mark: bytes, size: int) -> None:
    """So many lines a piece."""
    left = 0
    for chunk in data:
        at = 0
        while at < len(chunk):
            if not left:
                pieces.begin()
                left = size
            start = at
            while left and at < len(chunk):
                at = chunk.find(mark, at) + 1
                if not at:
                    at = len(chunk)
                    break
                left -= 1
            pieces.write(chunk[start:at])


def by_bytes(pieces: Pieces, data: Iterable[bytes], size: int) -> None:
    """So many bytes a piece."""
    left = 0
    for chunk in data:
        at = 0
        while at < len(chunk):
            if not left:
                pieces.begin()
                left = size
            part = chunk[at : at + left]
            pieces.write(part)
            at += len(part)
            left -= len(part)


def by_size_of_lines(pieces: Pieces, data: Iterable[bytes], mark: bytes, size: int) -> None:
    """Whole lines, as many as fit; of one that does not fit, as many bytes as do."""
    held = b""
    for chunk in data:
        held += chunk
        at = 0
        while len(held) - at > size:
            end = held.rfind(mark, at, at + size) + 1 or at + size
            pieces.begin()
            pieces.write(held[at:end])
            at = end
        held = held[at:]
    if held:
        pieces.begin()
        pieces.write(held)
