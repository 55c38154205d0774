"""Arrangement: the keys and rules of one sort, put to work on lines."""

from __future__ import annotations

import re
from heapq import merge
from itertools import chain, islice, pairwise

from keysh.tools.sort.extract import texts_of_keys
from keysh.tools.sort.order import comparison_values
from keysh.tools.sort.pieces import (
    ITEMS_PER_TICK,
    PieceSorter,
    count_items,
    drop_repeats,
    group_by_key,
    has_few_values,
    map_pieces,
    slices,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from keysh.tools.sort.key import SortKey

# Lines of whole numbers that are written in one way only: of as many digits, the order is that of
# texts.
NATURAL_LINES = re.compile(r"(?:(?:0|[1-9][0-9]*)\n)*")
INTEGER_LINES = re.compile(r"(?:(?:0|-?[1-9][0-9]*)\n)*")


class LineSorter:
    """What orders lines: keys, the most important first, and the line itself behind them.

    Without keys the whole line counts. With `stable` or `unique`, nothing stands behind keys.
    """

    __slots__ = ("end", "is_reversed", "keys", "salt", "separator", "stable", "tick", "unique")

    def __init__(self, tick: Callable[[], None], end: str) -> None:
        self.tick, self.end = tick, end
        self.keys: list[SortKey] = []
        self.separator = ""
        self.is_reversed = self.unique = self.stable = False
        self.salt = b""

    def sort_lines(self, lines: list[str]) -> list[str]:
        """The lines in order; the list may be another."""
        keys, tick = self.keys, self.tick
        if not keys:
            return self.sort_whole_lines(lines, unique=self.unique)
        if len(keys) == 1 and keys[0].is_number and self.end == "\n":
            if self.all_match(NATURAL_LINES, lines):
                return self.sort_by_size(lines, len)
            if self.all_match(INTEGER_LINES, lines):
                return self.sort_by_size(lines, signed_size)
        if len(self.directions) > len(keys):
            lines = self.sort_whole_lines(lines)
        found = self.key_texts(lines)
        groups = self.sort_by_groups(lines, found[0]) if len(keys) == 1 else None
        if groups is not None:
            return groups
        columns = self.key_values(found)
        order = self.line_order(columns)
        if self.unique:
            order = self.first_of_equals(order, columns)
        return map_pieces(lambda some: map(lines.__getitem__, some), order, tick)

    def sort_whole_lines(self, lines: list[str], *, unique: bool = False) -> list[str]:
        """The lines in order as they are; where few differ, only these are sorted."""
        tick = self.tick
        if not has_few_values(lines):
            found = PieceSorter(None, tick).run(lines, self.is_reversed)
            return drop_repeats(found, tick) if unique else found
        counts = count_items(lines, tick)
        kinds = PieceSorter(None, tick).run([*counts], self.is_reversed)
        if unique:
            return kinds
        found = []
        for kind in kinds:
            found += [kind] * counts[kind]
        return found

    def all_match(self, pattern: re.Pattern[str], lines: list[str]) -> bool:
        """Whether a pattern takes all lines."""
        pieces = ("\n".join([*piece, ""]) for piece in slices(lines, self.tick))
        return all(map(pattern.fullmatch, pieces))

    def sort_by_size(self, lines: list[str], size: Callable[[str], int]) -> list[str]:
        """Whole numbers in order: by their digits and signs, and those of one size as texts."""
        (is_reversed, *_), tick = self.directions, self.tick
        sizes, found = group_by_key(lines, map(size, lines), tick), []
        for each in sorted(sizes, reverse=is_reversed):
            found += PieceSorter(None, tick).run(sizes[each], is_reversed == (each > 0))
        return drop_repeats(found, tick) if self.unique else found

    def sort_by_groups(self, lines: list[str], texts: list[str]) -> list[str] | None:
        """The lines in order by their one key, if it has few texts, each of another value."""
        if not has_few_values(texts):
            return None
        groups = group_by_key(lines, texts, self.tick)
        kinds = [*groups]
        values = dict(
            zip(kinds, comparison_values(self.keys[0], kinds, self.salt, self.tick), strict=True)
        )
        if len(set(values.values())) < len(kinds):
            return None
        found: list[str] = []
        for kind in PieceSorter(values.__getitem__, self.tick).run(kinds, self.directions[0]):
            found += groups[kind][:1] if self.unique else groups[kind]
        return found

    def merge_files(self, files: Sequence[list[str]]) -> list[str]:
        """The lines of several files, always that first which is least among the next of each."""
        lines = list(chain.from_iterable(files))
        columns, tick = self.comparison_columns(lines), self.tick
        ranks, rank = [0] * len(lines), 0
        for before, i in pairwise(self.line_order(columns)):
            if not i % ITEMS_PER_TICK:
                tick()
            rank += any(values[before] != values[i] for values in columns)
            ranks[i] = rank
        turns, at = [], 0
        for file in files:
            turns.append(range(at, at + len(file)))
            at += len(file)
        following = merge(*turns, key=ranks.__getitem__)
        found: list[int] = []
        while piece := list(islice(following, ITEMS_PER_TICK)):
            tick()
            found += piece
        if self.unique:
            found = self.first_of_equals(found, [ranks])
        return map_pieces(lambda some: map(lines.__getitem__, some), found, tick)

    def line_order(self, columns: Sequence[Sequence[Any]]) -> list[int]:
        """The numbers of the lines in the order of the columns: the last is sorted by first."""
        order = list(range(len(columns[0])))
        directions = self.directions[: len(columns)]
        for values, is_reversed in zip(reversed(columns), reversed(directions), strict=True):
            if not has_few_values(values):
                order = PieceSorter(values.__getitem__, self.tick).run(order, is_reversed)
            elif values.count(values[0]) < len(values):
                rows = group_by_key(order, map(values.__getitem__, order), self.tick)
                order = []
                for value in PieceSorter(None, self.tick).run([*rows], is_reversed):
                    order += rows[value]
        return order

    def key_columns(self, lines: Sequence[str]) -> list[Sequence[Any]]:
        """For each key, the value of each line."""
        return self.key_values(self.key_texts(lines))

    def key_texts(self, lines: Sequence[str]) -> list[list[str]]:
        """For each key, its text in each line."""
        found: list[list[str]] = [[] for _ in self.keys]
        for piece in slices(lines, self.tick):
            some = texts_of_keys(piece, self.keys, self.separator, self.end)
            for column_texts, more in zip(found, some, strict=True):
                column_texts += more
        return found

    def key_values(self, texts: Sequence[Sequence[str]]) -> list[Sequence[Any]]:
        """For each key, what its texts are compared by."""
        return [
            comparison_values(key, column_texts, self.salt, self.tick)
            for key, column_texts in zip(self.keys, texts, strict=True)
        ]

    def first_of_equals(self, order: Sequence[int], columns: Sequence[Sequence[Any]]) -> list[int]:
        """Of lines whose keys are equal, the first."""
        found: list[int] = []
        last = None
        for piece in slices(order, self.tick):
            rows = list(zip(*[map(values.__getitem__, piece) for values in columns], strict=True))
            found += [i for i, row, before in zip(piece, rows, [last, *rows], strict=False)
                      if row != before]  # fmt: skip
            last = rows[-1]
        return found

    def find_disorder(self, batches: Iterable[list[str]]) -> tuple[int, str] | None:
        """The first line that should stand before the one before it: its number and text."""
        number = 1
        last: list[str] = []
        for batch in batches:
            lines = last + batch
            columns = self.comparison_columns(lines)
            for i in range(1, len(lines)):
                if self.is_out_of_order(columns, i):
                    return number - len(last) + i, lines[i]
            number += len(batch)
            last = lines[-1:]
        return None

    def is_out_of_order(self, columns: Sequence[Sequence[Any]], i: int) -> bool:
        """Whether a line should not stand behind the one before it."""
        for values, is_reversed in zip(columns, self.directions, strict=True):
            if values[i - 1] != values[i]:
                return bool((values[i - 1] < values[i]) == is_reversed)
        return self.unique

    def comparison_columns(self, lines: Sequence[str]) -> list[Sequence[Any]]:
        """All that is compared: the keys' values, and the lines where these come behind."""
        return [*self.key_columns(lines), lines][: len(self.directions)]

    @property
    def directions(self) -> list[bool]:
        """Which of the compared values go the other way round."""
        found = [key.is_reversed for key in self.keys]
        return found if found and (self.stable or self.unique) else [*found, self.is_reversed]


def signed_size(number: str) -> int:
    """How many digits and signs a number has, less than nothing if it is less than nothing."""
    return -len(number) if number[0] == "-" else len(number)
