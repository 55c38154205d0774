"""Arrangement: the keys and rules of one sort, put to work on lines."""

from __future__ import annotations

import re
from heapq import merge
from itertools import chain, islice, pairwise

from keysh.tools.sort.extract import texts
from keysh.tools.sort.order import column
from keysh.tools.sort.pieces import (
    WORKED,
    Sorting,
    are_few,
    counted,
    distinct,
    in_pieces,
    slices,
    spread,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from keysh.tools.sort.key import Key

# Lines of whole numbers that are written in one way only: of as many digits, the order is that of
# texts.
NATURAL = re.compile(r"(?:(?:0|[1-9][0-9]*)\n)*")
WHOLE = re.compile(r"(?:(?:0|-?[1-9][0-9]*)\n)*")


class Arrangement:
    """What orders lines: keys, the most important first, and the line itself behind them.

    Without keys the whole line counts. With `stable` or `unique`, nothing stands behind keys.
    """

    __slots__ = ("end", "is_reversed", "keys", "salt", "separator", "stable", "tick", "unique")

    def __init__(self, tick: Callable[[], None], end: str) -> None:
        self.tick, self.end = tick, end
        self.keys: list[Key] = []
        self.separator = ""
        self.is_reversed = self.unique = self.stable = False
        self.salt = b""

    def arranged(self, lines: list[str]) -> list[str]:
        """The lines in order; the list may be another."""
        keys, tick = self.keys, self.tick
        if not keys:
            return self.by_lines(lines, unique=self.unique)
        if len(keys) == 1 and keys[0].is_number and self.end == "\n":
            if self.are_all(NATURAL, lines):
                return self.by_size(lines, len)
            if self.are_all(WHOLE, lines):
                return self.by_size(lines, signed_size)
        if len(self.directions) > len(keys):
            lines = self.by_lines(lines)
        found = self.texts(lines)
        groups = self.in_groups(lines, found[0]) if len(keys) == 1 else None
        if groups is not None:
            return groups
        columns = self.values(found)
        order = self.order(columns)
        if self.unique:
            order = self.firsts(order, columns)
        return in_pieces(lambda some: map(lines.__getitem__, some), order, tick)

    def by_lines(self, lines: list[str], *, unique: bool = False) -> list[str]:
        """The lines in order as they are; where few differ, only these are sorted."""
        tick = self.tick
        if not are_few(lines):
            found = Sorting(None, tick).run(lines, self.is_reversed)
            return distinct(found, tick) if unique else found
        counts = counted(lines, tick)
        kinds = Sorting(None, tick).run([*counts], self.is_reversed)
        if unique:
            return kinds
        found = []
        for kind in kinds:
            found += [kind] * counts[kind]
        return found

    def are_all(self, pattern: re.Pattern[str], lines: list[str]) -> bool:
        """Whether a pattern takes all lines."""
        pieces = ("\n".join([*piece, ""]) for piece in slices(lines, self.tick))
        return all(map(pattern.fullmatch, pieces))

    def by_size(self, lines: list[str], size: Callable[[str], int]) -> list[str]:
        """Whole numbers in order: by their digits and signs, and those of one size as texts."""
        (is_reversed, *_), tick = self.directions, self.tick
        sizes, found = spread(lines, map(size, lines), tick), []
        for each in sorted(sizes, reverse=is_reversed):
            found += Sorting(None, tick).run(sizes[each], is_reversed == (each > 0))
        return distinct(found, tick) if self.unique else found

    def in_groups(self, lines: list[str], texts: list[str]) -> list[str] | None:
        """The lines in order by their one key, if it has few texts, each of another value."""
        if not are_few(texts):
            return None
        groups = spread(lines, texts, self.tick)
        kinds = [*groups]
        values = dict(zip(kinds, column(self.keys[0], kinds, self.salt, self.tick), strict=True))
        if len(set(values.values())) < len(kinds):
            return None
        found: list[str] = []
        for kind in Sorting(values.__getitem__, self.tick).run(kinds, self.directions[0]):
            found += groups[kind][:1] if self.unique else groups[kind]
        return found

    def merged(self, files: Sequence[list[str]]) -> list[str]:
        """The lines of several files, always that first which is least among the next of each."""
        lines = list(chain.from_iterable(files))
        columns, tick = self.compared(lines), self.tick
        ranks, rank = [0] * len(lines), 0
        for before, i in pairwise(self.order(columns)):
            if not i % WORKED:
                tick()
            rank += any(values[before] != values[i] for values in columns)
            ranks[i] = rank
        turns, at = [], 0
        for file in files:
            turns.append(range(at, at + len(file)))
            at += len(file)
        following = merge(*turns, key=ranks.__getitem__)
        found: list[int] = []
        while piece := list(islice(following, WORKED)):
            tick()
            found += piece
        if self.unique:
            found = self.firsts(found, [ranks])
        return in_pieces(lambda some: map(lines.__getitem__, some), found, tick)

    def order(self, columns: Sequence[Sequence[Any]]) -> list[int]:
        """The numbers of the lines in the order of the columns: the last is sorted by first."""
        order = list(range(len(columns[0])))
        directions = self.directions[: len(columns)]
        for values, is_reversed in zip(reversed(columns), reversed(directions), strict=True):
            if not are_few(values):
                order = Sorting(values.__getitem__, self.tick).run(order, is_reversed)
            elif values.count(values[0]) < len(values):
                rows = spread(order, map(values.__getitem__, order), self.tick)
                order = []
                for value in Sorting(None, self.tick).run([*rows], is_reversed):
                    order += rows[value]
        return order

    def columns(self, lines: Sequence[str]) -> list[Sequence[Any]]:
        """For each key, the value of each line."""
        return self.values(self.texts(lines))

    def texts(self, lines: Sequence[str]) -> list[list[str]]:
        """For each key, its text in each line."""
        found: list[list[str]] = [[] for _ in self.keys]
        for piece in slices(lines, self.tick):
            some = texts(piece, self.keys, self.separator, self.end)
            for column_texts, more in zip(found, some, strict=True):
                column_texts += more
        return found

    def values(self, texts: Sequence[Sequence[str]]) -> list[Sequence[Any]]:
        """For each key, what its texts are compared by."""
        return [
            column(key, column_texts, self.salt, self.tick)
            for key, column_texts in zip(self.keys, texts, strict=True)
        ]

    def firsts(self, order: Sequence[int], columns: Sequence[Sequence[Any]]) -> list[int]:
        """Of lines whose keys are equal, the first."""
        found: list[int] = []
        last = None
        for piece in slices(order, self.tick):
            rows = list(zip(*[map(values.__getitem__, piece) for values in columns], strict=True))
            found += [i for i, row, before in zip(piece, rows, [last, *rows], strict=False)
                      if row != before]  # fmt: skip
            last = rows[-1]
        return found

    def disorder(self, batches: Iterable[list[str]]) -> tuple[int, str] | None:
        """The first line that should stand before the one before it: its number and text."""
        number = 1
        last: list[str] = []
        for batch in batches:
            lines = last + batch
            columns = self.compared(lines)
            for i in range(1, len(lines)):
                if self.is_wrong(columns, i):
                    return number - len(last) + i, lines[i]
            number += len(batch)
            last = lines[-1:]
        return None

    def is_wrong(self, columns: Sequence[Sequence[Any]], i: int) -> bool:
        """Whether a line should not stand behind the one before it."""
        for values, is_reversed in zip(columns, self.directions, strict=True):
            if values[i - 1] != values[i]:
                return bool((values[i - 1] < values[i]) == is_reversed)
        return self.unique

    def compared(self, lines: Sequence[str]) -> list[Sequence[Any]]:
        """All that is compared: the keys' values, and the lines where these come behind."""
        return [*self.columns(lines), lines][: len(self.directions)]

    @property
    def directions(self) -> list[bool]:
        """Which of the compared values go the other way round."""
        found = [key.is_reversed for key in self.keys]
        return found if found and (self.stable or self.unique) else [*found, self.is_reversed]


def signed_size(number: str) -> int:
    """How many digits and signs a number has, less than nothing if it is less than nothing."""
    return -len(number) if number[0] == "-" else len(number)
