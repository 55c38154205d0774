"""Hash order: associative arrays of the bash dialect list their keys as bash does.

Bash keeps them in a hash table: 1,024 buckets, the newest key of a bucket first, and four times as
many buckets when there are twice as many keys as buckets. The hash is FNV-1 of 32 bits.
"""

from __future__ import annotations

from keysh.values import ShellRecord

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

FIRST_BUCKETS = 1024
GROWTH = 4
FNV_OFFSET, FNV_PRIME = 2166136261, 16777619


class BashRecord(ShellRecord):
    """An associative array of the bash dialect: its keys come in the order of bash's hash table."""

    __slots__ = ()

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def keys(self) -> list[str]:  # type: ignore[override]
        """Return the keys in bash's order."""
        return bash_order(list(super().keys()))

    def values(self) -> list[Any]:  # type: ignore[override]
        """Return the values in bash's order."""
        return [self[key] for key in self.keys()]

    def items(self) -> list[tuple[str, Any]]:  # type: ignore[override]
        """Return the pairs in bash's order."""
        return [(key, self[key]) for key in self.keys()]


def bash_order(keys: Sequence[str], first_buckets: int = FIRST_BUCKETS) -> list[str]:
    """Return keys, given in the order of their insertion, in bash's order."""
    buckets: list[list[tuple[int, str]]] = [[] for _ in range(first_buckets)]
    for count, key in enumerate(keys):
        if count >= len(buckets) * 2:
            buckets = larger_table(buckets)
        code = hash_of(key)
        buckets[code & (len(buckets) - 1)].append((code, key))
    return [key for bucket in buckets for _, key in reversed(bucket)]


def larger_table(buckets: Sequence[list[tuple[int, str]]]) -> list[list[tuple[int, str]]]:
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
