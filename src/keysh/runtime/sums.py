"""Sums: the checksums that are no digests: BSD's, System V's, and the POSIX CRC."""

from __future__ import annotations

import zlib

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Sum = Callable[[Iterable[bytes]], tuple[int, int]]

REVERSED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
ALL = 0xFFFFFFFF
# Bytes of which the low half of zlib's Adler-32 is the very sum: no more than 65,520.
ADDED = 256


def bsd(pieces: Iterable[bytes]) -> tuple[int, int]:
    """The sum to which each byte is added after a turn by one bit; and the size."""
    # What each number of 16 bits turns into; an index above them is one with its carry forgotten.
    turned = [0] * 0x10000
    turned[::2], turned[1::2] = range(0x8000), range(0x8000, 0x10000)
    turned += turned[:0x100]
    value = size = 0
    for data in pieces:
        size += len(data)
        for byte in data:
            value = turned[value] + byte
    return value & 0xFFFF, size


def sysv(pieces: Iterable[bytes]) -> tuple[int, int]:
    """The sum of all bytes, folded to 16 bits; and the size."""
    total = size = 0
    for data in pieces:
        size += len(data)
        for at in range(0, len(data), ADDED):
            total += zlib.adler32(data[at : at + ADDED], 0) & 0xFFFF
    total &= ALL
    total = (total & 0xFFFF) + (total >> 16)
    return (total & 0xFFFF) + (total >> 16), size


def crc(pieces: Iterable[bytes]) -> tuple[int, int]:
    """The CRC of POSIX's cksum, which covers the size; and the size.

    It is zlib's with the bits of each byte the other way round, and another start.
    """
    value, size = ALL, 0
    for data in pieces:
        size += len(data)
        value = zlib.crc32(data.translate(REVERSED), value)
    count = size.to_bytes((size.bit_length() + 7) // 8, "little")
    value = zlib.crc32(count.translate(REVERSED), value) ^ ALL
    return int(f"{value:032b}"[::-1], 2) ^ ALL, size


SUMS: dict[str, Sum] = {"bsd": bsd, "sysv": sysv, "crc": crc}


def sum_line(kind: str, value: int, size: int, name: str, end: str = "\n") -> str:
    """A line with a sum; the name only where a file was named, the size in the kind's unit."""
    tail = f" {name}{end}" if name else end
    if kind == "bsd":
        return f"{value:05} {-(-size // 1024):5}{tail}"
    return f"{value} {size if kind == 'crc' else -(-size // 512)}{tail}"
