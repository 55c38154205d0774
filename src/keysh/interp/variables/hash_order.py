"""Hash order: the order in which bash lists the keys of an associative array.

Bash keeps them in a hash table: 1,024 buckets, the newest key of a bucket first, and four times as
many buckets when there are twice as many keys as buckets. The hash is FNV-1 of 32 bits.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

FIRST_BUCKETS = 1024
GROWTH = 4
FNV_OFFSET, FNV_PRIME = 2166136261, 16777619


def bash_order(keys: Sequence[str]) -> list[str]:
    """Return keys, given in the order of their insertion, in bash's order."""
    buckets: list[list[tuple[int, str]]] = [[] for _ in range(FIRST_BUCKETS)]
    for count, key in enumerate(keys):
        if count >= len(buckets) * 2:
            buckets = grown(buckets)
        code = hash_of(key)
        buckets[code & (len(buckets) - 1)].append((code, key))
    return [key for bucket in buckets for _, key in reversed(bucket)]


def grown(buckets: Sequence[list[tuple[int, str]]]) -> list[list[tuple[int, str]]]:
    """Return the buckets of a larger table; a chain is moved from its head, so its order turns."""
    larger: list[list[tuple[int, str]]] = [[] for _ in range(len(buckets) * GROWTH)]
    for bucket in buckets:
        for code, key in reversed(bucket):
            larger[code & (len(larger) - 1)].append((code, key))
    return larger


def hash_of(key: str) -> int:
    """Return the FNV-1 hash of a key."""
    code = FNV_OFFSET
    for byte in key.encode("utf-8", "surrogateescape"):
        code = code * FNV_PRIME & 0xFFFFFFFF
        code ^= byte
    return code
