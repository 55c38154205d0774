"""The order in which gawk visits the keys of an array that nothing sorts.

gawk keeps an array in one of three tables, which the first key chooses: integers from 0 in trees
that are listed in ascending order, other integers in a hash table of pairs, and text in a hash
table of chains. A table for integers passes what it cannot take to a second table, which is listed
first. An array here is a dict, which remembers the order of insertion. That suffices to fill gawk's
tables again, except where keys were deleted after a table grew: see `Array.remove`.
"""

from __future__ import annotations

import re
from operator import mul

from keysh.text.bounds.slices import sorted_in_slices, with_ticks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    Tick: TypeAlias = Callable[[], object]

IS_INTEGER = re.compile("0|-?[1-9][0-9]{0,9}").fullmatch
INTEGERS = range(-(2**31), 2**31)

TABLE_SIZES = (
    13, 127, 1021, 8191, 16381, 32749, 65497, 131101, 262147, 524309, 1048583, 2097169, 4194319,
    8388617, 16777259, 33554467, 67108879, 134217757, 268435459, 536870923, 1073741827,
)  # fmt: skip
MAX_KEYS_PER_CHAIN = 2
MASK = 0xFFFFFFFF
MULTIPLIER = 65599  # of the sdbm hash
POWERS = [pow(MULTIPLIER, i, MASK + 1) for i in range(64)]

LONG_KEY_BYTES = 4096
TREE_BITS = 10  # smaller integers share a tree; above, each power of two has its own
MAX_UNUSED_SLOTS = 2 ** (TREE_BITS + 1)


def hash_order(keys: list[str], first: str, peak: int, tick: Tick) -> list[str]:
    """Return the keys in gawk's order. `first` chose the table; `peak` keys were in it at once."""
    number = integer_of(first)
    if number is None:
        return text_order(keys, peak, tick)
    if number < 0:
        return integer_order(keys, peak, tick)
    return tree_order(keys, peak, tick)


def integer_of(key: str) -> int | None:
    """Return the integer of 32 bits that a key is, in decimal without a sign or leading zeros."""
    if IS_INTEGER(key):
        number = int(key)
        if number in INTEGERS:
            return number
    return None


def tree_order(keys: list[str], peak: int, tick: Tick) -> list[str]:
    """Return the order of an array whose first key is an integer from 0."""
    numbers: list[int] = []
    others: list[str] = []
    leaves: set[tuple[int, int]] = set()
    slots = 0
    for key in with_ticks(keys, tick):
        number = integer_of(key)
        if number is None or number < 0:
            others.append(key)
            continue
        bits = max(number.bit_length() - 1, TREE_BITS)
        if slots + 2 ** expected_leaf_bits(bits) - len(numbers) > MAX_UNUSED_SLOTS:
            others.append(key)
            continue
        numbers.append(number)
        leaf_size = leaf_bits(bits)
        leaf = leaf_size, number >> leaf_size
        if leaf not in leaves:
            leaves.add(leaf)
            slots += 2**leaf_size
    listed = [*map(str, sorted_in_slices(numbers, tick))]
    if not others:
        return listed
    second = text_order if integer_of(others[0]) is None else integer_order
    return second(others, peak - len(numbers), tick) + listed


def leaf_bits(bits: int) -> int:
    """Return the logarithm of the size of the leaves in a tree of 2**bits integers."""
    half = (bits + 1) // 2
    return half if half <= TREE_BITS else leaf_bits(half)


def expected_leaf_bits(bits: int) -> int:
    """Return the logarithm that gawk expects before it makes a leaf. It may be smaller."""
    while bits >= TREE_BITS:
        bits = (bits + 1) // 2
    return bits


def text_order(keys: list[str], peak: int, tick: Tick) -> list[str]:
    """Return the order of a hash table of text."""
    return table_order(text_hashes(keys, tick), peak, tick)


def text_hashes(keys: list[str], tick: Tick) -> dict[str, int]:
    """Return the sdbm hash of each key's bytes, which count as signed."""
    if max(map(len, keys)) <= len(POWERS) and "".join(keys).isascii():
        # A sum of products is 5 times as fast as the loop below.
        ticking = with_ticks(keys, tick)
        return {key: sum(map(mul, key.encode()[::-1], POWERS)) & MASK for key in ticking}
    hashes: dict[str, int] = {}
    for key in with_ticks(keys, tick):
        code = 0
        octets = memoryview(key.encode("utf-8", "surrogateescape")).cast("b")
        for byte in octets if len(octets) < LONG_KEY_BYTES else with_ticks(octets, tick):
            code = (code * MULTIPLIER + byte) & MASK
        hashes[key] = code
    return hashes


def integer_order(keys: list[str], peak: int, tick: Tick) -> list[str]:
    """Return the order of an array whose first key is a negative integer."""
    hashes: dict[str, int] = {}
    others: list[str] = []
    for key in with_ticks(keys, tick):
        number = integer_of(key)
        if number is None:
            others.append(key)
        else:
            hashes[key] = integer_hash(number)
    listed = table_order(hashes, peak - len(others), tick, walk_pairs)
    return text_order(others, len(others), tick) + listed if others else listed


def integer_hash(number: int) -> int:
    """Return the last mixing steps of SuperFastHash on 32 bits."""
    code = number & MASK
    code = code ^ code << 3 & MASK
    code = code + (code >> 5) & MASK
    code = code ^ code << 4 & MASK
    code = code + (code >> 17) & MASK
    code = code ^ code << 25 & MASK
    return code + (code >> 6) & MASK


def walk_pairs(chain: list[str]) -> Iterator[str]:
    """Walk a chain of pairs of keys: the newest pair comes first, in it the older key."""
    for start in range((len(chain) - 1) // 2 * 2, -1, -2):
        yield from chain[start : start + 2]


def table_order(
    hashes: dict[str, int],
    peak: int,
    tick: Tick,
    walk: Callable[[list[str]], Iterable[str]] = reversed,
) -> list[str]:
    """Insert keys into a hash table that grows, and return them in its order.

    `walk` gives the keys of a chain, a list in order of insertion, as gawk finds them: it puts a
    key that is new, or moves to a larger table, at the head of a chain.
    """
    keys = [*hashes]
    peak = max(peak, len(keys))
    chains: list[list[str]] = []
    start = 0
    for size in TABLE_SIZES:
        moved = [key for chain in chains for key in walk(chain)]
        chains = [[] for _ in range(size)]
        # The next key after `end` would find chains that are too long on average.
        end = (size * (MAX_KEYS_PER_CHAIN + 1) * len(keys) - 1) // peak
        for key in with_ticks((*moved, *keys[start:end]), tick):
            chains[hashes[key] % size].append(key)
        start = end
        if start >= len(keys):
            break
    return [key for chain in chains if chain for key in walk(chain)]
