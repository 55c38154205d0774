"""Line ends: what -l and -ll make of texts on their way into an archive."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TEXT = bytes({9, 10, 13, *range(32, 256)})
NOT_TEXT = bytes({*range(7), *range(14, 26), *range(28, 32)})


def is_text(data: bytes) -> bool:
    """Whether bytes look as a text does."""
    return has_any(data, TEXT) and not has_any(data, NOT_TEXT)


def has_any(data: bytes, some: bytes) -> bool:
    """Whether there is one of some bytes among others."""
    return len(data.translate(None, some)) < len(data)


def with_returns(pieces: Iterator[bytes], tell: Callable[[], object]) -> Iterator[bytes]:
    """A text with returns before the ends of lines; what is none stays, and `tell` is called."""
    changes = False
    for at, piece in enumerate(pieces):
        changes = is_text(piece) if at == 0 else changes
        if at == 0 and not changes:
            tell()
        yield piece.replace(b"\n", b"\r\n") if changes else piece


def without_returns(pieces: Iterator[bytes], tell: Callable[[], object]) -> Iterator[bytes]:
    """A text without the returns before the ends of lines; else as `with_returns`."""
    changes = False
    held = b""  # a return whose next byte is in the next piece
    for at, piece in enumerate(pieces):
        changes = is_text(piece) if at == 0 else changes
        if at == 0 and not changes:
            tell()
        if changes:
            data = held + piece
            held = b"\r" if data.endswith(b"\r") else b""
            piece = data.removesuffix(held).replace(b"\r\n", b"\n")
        yield piece
    yield held
