"""Arrangement: the keys and rules of one sort, put to work on lines."""

from __future__ import annotations

from heapq import merge
from itertools import pairwise

from keysh.commands.sort.extract import texts
from keysh.commands.sort.order import are_plain, column, sort

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from keysh.commands.sort.key import Key


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
        tick, keys = self.tick, self.keys
        is_number = len(keys) == 1 and keys[0].is_number and self.end == "\n"
        is_plain = is_number and are_plain(lines)
        if is_plain or not keys:
            whole = list(dict.fromkeys(lines)) if self.unique else lines
            return sort(whole, int if is_plain else None, self.directions[0], tick)
        if len(self.directions) > len(self.keys):
            lines = sort(lines, None, self.is_reversed, tick)
        columns = self.columns(lines)
        order = list(range(len(lines)))
        for values, key in zip(reversed(columns), reversed(self.keys), strict=True):
            order = sort(order, values.__getitem__, key.is_reversed, tick)
        if self.unique:
            order = self.firsts(order, columns)
        return [lines[i] for i in order]

    def merged(self, files: Sequence[list[str]]) -> list[str]:
        """The lines of several files, always that first which is least among the next of each."""
        lines = [line for file in files for line in file]
        columns = self.compared(lines)
        order = list(range(len(lines)))
        for values, is_reversed in zip(reversed(columns), reversed(self.directions), strict=True):
            order = sort(order, values.__getitem__, is_reversed, self.tick)
        ranks, rank = [0] * len(lines), 0
        for before, i in pairwise(order):
            rank += any(values[before] != values[i] for values in columns)
            ranks[i] = rank
        turns, at = [], 0
        for file in files:
            turns.append(range(at, at + len(file)))
            at += len(file)
        found = list(merge(*turns, key=ranks.__getitem__))
        if self.unique:
            found = self.firsts(found, [ranks])
        return [lines[i] for i in found]

    def columns(self, lines: Sequence[str]) -> list[Sequence[Any]]:
        """For each key, the value of each line."""
        return [
            column(key, texts(lines, key, self.separator, self.end), self.salt) for key in self.keys
        ]

    def firsts(self, order: Sequence[int], columns: Sequence[Sequence[Any]]) -> list[int]:
        """Of lines whose keys are equal, the first."""
        rows = [[values[i] for values in columns] for i in order]
        return [i for i, row, before in zip(order, rows, [None, *rows], strict=False)
                if row != before]  # fmt: skip

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
