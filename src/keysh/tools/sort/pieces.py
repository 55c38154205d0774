"""Sort and transform long lists piece by piece, so that the run can be cancelled in between.

    pieces in order     a c f h     b c g     a d h
    cut at c and at g   a|c f|h     b|c|g     a|d|h
    joined and sorted   a a b | c c d f | g h h

Each piece is sorted by itself. Then all are cut at the same few values, and the parts between two
cuts are joined and sorted again, which is only a merge since they consist of sorted runs.
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

ITEMS_PER_TICK = 2048  # items processed between two ticks
PIECE_ITEMS = 16_384  # items sorted between two ticks
MIN_PIECE_ITEMS = 1024  # the same if sorting is slow
SLOW_PIECE_SECONDS = 0.02  # a piece that takes longer is too large
MAX_PIECES = 512  # beyond, pieces get larger instead of more
SAMPLES_PER_PIECE = 32  # items of each piece that determine the cuts
# Sample sizes, and how often a value must occur on average; the small sample decides most cases.
SAMPLE_SIZES = (512, 1.1), (16_384, 4)


def slices(items: Sequence[Any], tick: Callable[[], object]) -> Iterator[Sequence[Any]]:
    """Yield the items in pieces."""
    for start in range(0, len(items), ITEMS_PER_TICK):
        tick()
        yield items[start : start + ITEMS_PER_TICK]


def map_pieces(
    function: Callable[[Sequence[Any]], Iterable[Any]],
    items: Sequence[Any],
    tick: Callable[[], object],
) -> list[Any]:
    """Apply a function that works on lists to the items, piece by piece."""
    results: list[Any] = []
    for piece in slices(items, tick):
        results += function(piece)
    return results


def group_by_key(
    items: Sequence[Any], keys: Iterable[Any], tick: Callable[[], object]
) -> dict[Any, list[Any]]:
    """Group the items by key, in their order."""
    groups: defaultdict[Any, list[Any]] = defaultdict(list)
    keys = iter(keys)
    for piece in slices(items, tick):
        for item, key in zip(piece, keys, strict=False):
            groups[key].append(item)
    return groups


def count_items(items: Sequence[Any], tick: Callable[[], object]) -> dict[Any, int]:
    """Count how often each item occurs."""
    counts: Counter[Any] = Counter()
    for piece in slices(items, tick):
        counts.update(piece)
    return counts


def drop_repeats(items: Sequence[Any], tick: Callable[[], object]) -> list[Any]:
    """Drop items that are equal to the one before."""
    kept: list[Any] = []
    last = None
    for piece in slices(items, tick):
        kept += [last := item for item in piece if item != last]
    return kept


def has_few_values(values: Sequence[Any]) -> bool:
    """Whether, by samples, there are so few different values that grouping them is faster."""
    for size, min_repeats in SAMPLE_SIZES:
        sample = values[:: max(1, len(values) // size)]
        if len(set(sample)) * min_repeats > len(sample):
            return False
    return len(values) > 0


class PieceSorter:
    """A stable sort by the values of items."""

    __slots__ = ("tick", "value")

    def __init__(self, value: Callable[[Any], Any] | None, tick: Callable[[], object]) -> None:
        self.value, self.tick = value, tick

    def run(self, items: list[Any], is_reversed: bool) -> list[Any]:
        """Sort the list in place and return it."""
        if is_reversed:  # so that equal items keep their order when the result is reversed
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
        """Yield sorted pieces of the items."""
        start, size = 0, max(PIECE_ITEMS, len(items) // MAX_PIECES)
        while start < len(items):
            self.tick()
            started = monotonic()
            piece = items[start : start + size]
            piece.sort(key=self.value)
            yield piece
            start += size
            if monotonic() - started > SLOW_PIECE_SECONDS:
                size = max(size // 2, MIN_PIECE_ITEMS)

    def are_in_order(self, pieces: list[list[Any]]) -> bool:
        """Whether no piece begins below the end of the one before."""
        value = self.value or identity_of_item
        return all(value(before[-1]) <= value(piece[0]) for before, piece in pairwise(pieces))

    def cut_values(self, pieces: list[list[Any]]) -> list[Any]:
        """Return values that divide the items into parts about as large as a piece."""
        sample: list[Any] = []
        for piece in pieces:
            step = -(-len(piece) // SAMPLES_PER_PIECE)
            sample += piece[step // 2 :: step]
        sample.sort(key=self.value)
        return list(
            map(self.value or identity_of_item, sample[SAMPLES_PER_PIECE::SAMPLES_PER_PIECE])
        )

    def merge_pieces(self, pieces: list[list[Any]], cuts: list[Any]) -> Iterator[list[Any]]:
        """Yield the sorted items below the first cut, then those below the next one, and so on."""
        borders: list[list[int]] = []
        for piece in pieces:
            self.tick()
            places = [bisect_left(piece, cut, key=self.value) for cut in cuts]
            borders.append([0, *places, len(piece)])
        for number in range(len(cuts) + 1):
            self.tick()
            part: list[Any] = []
            for piece, places in zip(pieces, borders, strict=True):
                part += piece[places[number] : places[number + 1]]
            part.sort(key=self.value)
            yield part


def identity_of_item(item: Any) -> Any:
    return item
