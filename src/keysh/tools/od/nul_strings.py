"""Strings that end with NUL, found in bytes of any kind, each with its address."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# What is printed, up to a NUL; to any other byte that is not printed; or to the end.
PRINTABLE_RUN = re.compile(rb"([ -~]*)(\0|[^ -~]|\Z)")
ADDRESS_COUNT = 1 << 64  # how many there are


def nul_strings(
    data: Iterable[bytes], least: int, first: int, end: int | None
) -> Iterator[tuple[int, str]]:
    """The addresses and texts of strings that have so many characters.

    `first` is the address of the first byte, and `end` the one at which GNU's stops to look: it
    takes what stands there for a string, one address too low.
    """
    address, held = first, []  # of what may begin a string, in as many pieces
    read = first
    for piece in data:
        for run in PRINTABLE_RUN.finditer(piece):
            held.append(run[1])
            if not run[2]:
                break
            text = b"".join(held)
            if run[2] == b"\0" and len(text) >= least and (end is None or address < end - least):
                yield address, text.decode("ascii")
            address, held = read + run.end(), []
        read += len(piece)
    if end is not None and read == end and address < end - least:
        yield (address - 1) % ADDRESS_COUNT, b"".join(held).decode("ascii")
