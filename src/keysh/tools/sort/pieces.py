"""Pieces: work on very many items piece by piece, so that a run can be stopped between them.

    pieces in order     a c f h     b c g     a d h
    cut at c and at g   a|c f|h     b|c|g     a|d|h
    joined and sorted   a a b | c c d f | g h h

Each piece is sorted by itself. Then all are cut at the same few values, and what lies between two
of these is sorted again: of runs that are in order, that is no more than a merge.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from itertools import pairwise
from time import monotonic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Any

ITEMS_PER_TICK = 2048  # items that are worked on between two ticks
PIECE_ITEMS, MIN_PIECE_ITEMS = (
    16_384,
    1024,
)  # items that are sorted between two ticks; so few where that is slow
SLOW_PIECE_SECONDS = 0.02  # seconds for a piece that was too large
MAX_PIECES = 512  # larger ones are better than more
SAMPLES_PER_PIECE = 32  # items of a piece that tell where all are cut
# So many values are looked at, and each is to stand for so many of them: most need a glance only.
SAMPLE_SIZES = (512, 1.1), (16_384, 4)


def slices(items: Sequence[Any], tick: Callable[[], object]) -> Iterator[Sequence[Any]]:
    """The items in pieces."""
    for at in range(0, len(items), ITEMS_PER_TICK):
        tick()
        yield items[at : at + ITEMS_PER_TICK]


def map_pieces(
    work: Callable[[Sequence[Any]], Iterable[Any]],
    items: Sequence[Any],
    tick: Callable[[], object],
) -> list[Any]:
    """What some work makes of items, whether it gets many of them or few."""
    found: list[Any] = []
    for piece in slices(items, tick):
        found += work(piece)
    return found


def group_by_key(
    items: Sequence[Any], keys: Iterable[Any], tick: Callable[[], object]
) -> dict[Any, list[Any]]:
    """The items of each key, in the order in which they come."""
    found: defaultdict[Any, list[Any]] = defaultdict(list)
    keys = iter(keys)
    for piece in slices(items, tick):
        for item, key in zip(piece, keys, strict=False):
            found[key].append(item)
    return found


def count_items(items: Sequence[Any], tick: Callable[[], object]) -> dict[Any, int]:
    """How often there is each item."""
    found: Counter[Any] = Counter()
    for piece in slices(items, tick):
        found.update(piece)
    return found


def drop_repeats(items: Sequence[Any], tick: Callable[[], object]) -> list[Any]:
    """Of items in order, each that is not the same as the one before."""
    found: list[Any] = []
    last = None
    for piece in slices(items, tick):
        found += [last := item for item in piece if item != last]
    return found


def has_few_values(values: Sequence[Any]) -> bool:
    """Whether there are so few different values, as far as samples tell, that spreading pays."""
    for size, each in SAMPLE_SIZES:
        sample = values[:: max(1, len(values) // size)]
        if len(set(sample)) * each > len(sample):
            return False
    return len(values) > 0


class PieceSorter:
    """Sorting by the values of items; those of the same value stay as they stand."""

    __slots__ = ("tick", "value")

    def __init__(self, value: Callable[[Any], Any] | None, tick: Callable[[], object]) -> None:
        self.value, self.tick = value, tick

    def run(self, items: list[Any], is_reversed: bool) -> list[Any]:
        """The items in order, which are taken from their list."""
        if is_reversed:  # what is the same stands as before when all is turned round again
            items.reverse()
        pieces = list(self.sorted_pieces(items))
        items.clear()
        if not self.are_in_order(pieces):
            pieces = list(self.merge_pieces(pieces, self.cut_values(pieces)))
        for piece in pieces:
            self.tick()
            items += piece
        if is_reversed:
            items.reverse()
        return items

    def sorted_pieces(self, items: list[Any]) -> Iterator[list[Any]]:
        """The items in pieces that are sorted, each by itself."""
        at, size = 0, max(PIECE_ITEMS, len(items) // MAX_PIECES)
        while at < len(items):
            self.tick()
            began = monotonic()
            piece = items[at : at + size]
            piece.sort(key=self.value)
            yield piece
            at += size
            if monotonic() - began > SLOW_PIECE_SECONDS:
                size = max(size // 2, MIN_PIECE_ITEMS)

    def are_in_order(self, pieces: list[list[Any]]) -> bool:
        """Whether each piece begins where the one before ends, or behind that."""
        value = self.value or identity_of_item
        return all(value(before[-1]) <= value(piece[0]) for before, piece in pairwise(pieces))

    def cut_values(self, pieces: list[list[Any]]) -> list[Any]:
        """Values between which about as many items lie as there are in a piece."""
        sample: list[Any] = []
        for piece in pieces:
            step = -(-len(piece) // SAMPLES_PER_PIECE)
            sample += piece[step // 2 :: step]
        sample.sort(key=self.value)
        return list(
            map(self.value or identity_of_item, sample[SAMPLES_PER_PIECE::SAMPLES_PER_PIECE])
        )

    def merge_pieces(self, pieces: list[list[Any]], cuts: list[Any]) -> Iterator[list[Any]]:
        """The items in order: those below all cuts, those below the next one, and so on."""
        borders: list[list[int]] = []
        for piece in pieces:
            self.tick()
            places = [bisect_left(piece, cut, key=self.value) for cut in cuts]
            borders.append([0, *places, len(piece)])
        for number in range(len(cuts) + 1):
            self.tick()
            found: list[Any] = []
            for piece, places in zip(pieces, borders, strict=True):
                found += piece[places[number] : places[number + 1]]
            found.sort(key=self.value)
            yield found


def identity_of_item(item: Any) -> Any:
    return item
