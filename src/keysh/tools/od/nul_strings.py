"""Find NUL-terminated strings in bytes."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Printable characters up to NUL, another unprintable byte or the end.
PRINTABLE_RUN = re.compile(rb"([ -~]*)(\0|[^ -~]|\Z)")
ADDRESS_COUNT = 1 << 64  # offsets are 64 bits


def nul_strings(
    data: Iterable[bytes], min_length: int, first: int, end: int | None
) -> Iterator[tuple[int, str]]:
    """Yield the offsets and texts of strings with at least `min_length` characters.

    `first` is the offset of the first byte. `end` is where GNU od stops; like GNU, a string cut off
    there is reported with an offset that is one too low.
    """
    address, pieces = first, []  # pieces of a string
    read = first
    for piece in data:
        for run in PRINTABLE_RUN.finditer(piece):
            pieces.append(run[1])
            if not run[2]:
                break
            text = b"".join(pieces)
            if (
                run[2] == b"\0"
                and len(text) >= min_length
                and (end is None or address < end - min_length)
            ):
                yield address, text.decode("ascii")
            address, pieces = read + run.end(), []
        read += len(piece)
    if end is not None and read == end and address < end - min_length:
        yield (address - 1) % ADDRESS_COUNT, b"".join(pieces).decode("ascii")
