"""Walking: the order in which a `for` comes by the keys of an array, which is gawk's.

gawk keeps an array in one of three ways, and the first key says in which: a natural number, another
integer, or a text. Each way passes on what is not of its kind to a part that is kept in another
way, and that part comes first. Where elements have been deleted, the keys come as if these had
never been there.
"""

from __future__ import annotations

import re
from operator import mul

from keysh.text.chunks import bytes_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

# How many chains a table has, and when there are three keys for each, the next; the last one stays.
SIZES = (
    13, 127, 1021, 8191, 32771, 65537, 131101, 262147, 524309, 1048583, 2097169, 4194319, 8388617,
    16777259,
)  # fmt: skip
WORD = 0xFFFFFFFF  # what a hash is counted in
PIECE = 256  # bytes that are hashed at once
POWERS = tuple(pow(65599, at, WORD + 1) for at in range(PIECE + 1))
INTEGER = re.compile("0|-?[1-9][0-9]{0,9}").fullmatch
FARTHEST = 1 << 31  # what an integer is below
SMALLEST_TREE = 10  # the power of two up to which numbers are kept in one tree
MOST_WASTE = 2048  # places that may be empty


def walked(keys: Iterable[str]) -> list[str]:
    """The keys in gawk's order; they are given in the order they came."""
    found = [*keys]
    if not found or not is_integer(found[0]):
        return walked_texts(found)
    return walked_integers(found) if found[0][0] == "-" else walked_naturals(found)


def is_integer(key: str) -> bool:
    """Whether a key is written as C writes an integer."""
    return INTEGER(key) is not None and -FARTHEST <= int(key) < FARTHEST


def walked_texts(keys: list[str]) -> list[str]:
    """Texts hang in chains, the last one first."""
    return in_table(keys, [hash_of_text(key) for key in keys], lambda chain: chain[::-1])


def walked_integers(keys: list[str]) -> list[str]:
    """Integers hang in chains, too, but in pairs, of which only the first may lack one."""
    integers = [key for key in keys if is_integer(key)]
    others = [key for key in keys if not is_integer(key)]
    hashes = [hash_of_integer(int(key)) for key in integers]
    return walked_texts(others) + in_table(integers, hashes, last_pairs_first)


def last_pairs_first(chain: list[int]) -> list[int]:
    """A chain to which pairs are added in front."""
    pairs = [chain[at : at + 2] for at in range(0, len(chain), 2)]
    return [one for pair in pairs[::-1] for one in pair]


def walked_naturals(keys: list[str]) -> list[str]:
    """Natural numbers stand in leaves of trees, as long as not too many of their places are empty.

    What would make a new leaf then, or falls into one that is too empty, is no longer taken.
    """
    if (
        keys[0] in ("0", "1")
        and keys == list(map(str, range(int(keys[0]), len(keys) + 1)))[: len(keys)]
    ):
        return keys  # as `split` and numbered records have them, in less time
    taken: list[int] = []
    others: list[str] = []
    leaves: set[tuple[int, int]] = set()
    places = 0
    for key in keys:
        if key[:1] == "-" or not is_integer(key):
            others.append(key)
            continue
        number = int(key)
        size, asked = leaf_sizes(number.bit_length() - 1)
        if places + asked - len(taken) > MOST_WASTE:
            others.append(key)
            continue
        leaf = size, number // size
        if leaf not in leaves:
            leaves.add(leaf)
            places += size
        taken.append(number)
    taken.sort()
    before = walked_others(others) if others else []
    return before + list(map(str, taken))


def walked_others(keys: list[str]) -> list[str]:
    """What natural numbers pass on."""
    return walked_integers(keys) if is_integer(keys[0]) else walked_texts(keys)


def leaf_sizes(power: int) -> tuple[int, int]:
    """The size of the leaf for numbers from such a power of two on; and what is counted for it.

    A tree is halved until it is small enough. One that is just small enough is a leaf, but counts
    for one of its halves.
    """
    bits = (max(power, SMALLEST_TREE) + 1) // 2
    while bits > SMALLEST_TREE:
        bits = (bits + 1) // 2
    return 1 << bits, 1 << ((bits + 1) // 2 if bits == SMALLEST_TREE else bits)


def in_table(
    keys: list[str], hashes: Sequence[int], in_chain: Callable[[list[int]], list[int]]
) -> list[str]:
    """Keys in the order of a table of chains; when it grows, it is filled anew in that order."""
    order: list[int] = []
    for size in SIZES:
        room = 3 * size - 1 if size < SIZES[-1] else len(keys)
        order += range(len(order), min(len(keys), room))
        chains: dict[int, list[int]] = {}
        for at in order:
            chains.setdefault(hashes[at] % size, []).append(at)
        order = [at for place in sorted(chains) for at in in_chain(chains[place])]
        if len(order) == len(keys):
            break
    return [keys[at] for at in order]


def hash_of_text(key: str) -> int:
    """The hash of sdbm: a polynomial of the bytes, which count as signed numbers."""
    data, found = bytes_of_text(key), 0
    for at in range(0, len(data), PIECE):
        piece = data[at : at + PIECE]
        signed = memoryview(piece[::-1]).cast("b")
        found = (found * POWERS[len(piece)] + sum(map(mul, signed, POWERS))) & WORD
    return found


def hash_of_integer(number: int) -> int:
    """The bits of an integer, mixed as at the end of Paul Hsieh's SuperFastHash."""
    found = number & WORD
    found ^= found << 3 & WORD
    found = found + (found >> 5) & WORD
    found ^= found << 4 & WORD
    found = found + (found >> 17) & WORD
    found ^= found << 25 & WORD
    return found + (found >> 6) & WORD
