"""Sort, merge and check lines by the keys and options of one call of sort."""

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

# Lines of integers in canonical form: those of the same length are ordered as texts.
NATURAL_LINES = re.compile(r"(?:(?:0|[1-9][0-9]*)\n)*")
INTEGER_LINES = re.compile(r"(?:(?:0|-?[1-9][0-9]*)\n)*")


class LineSorter:
    """Orders lines by keys, the most important first, and at last by the whole line.

    With `stable` or `unique`, lines with equal keys are not compared as a whole.
    """

    __slots__ = ("is_reversed", "keys", "line_end", "salt", "separator", "stable", "tick", "unique")

    def __init__(self, tick: Callable[[], None], line_end: str) -> None:
        self.tick, self.line_end = tick, line_end
        self.keys: list[SortKey] = []
        self.separator = ""
        self.is_reversed = self.unique = self.stable = False
        self.salt = b""

    def sort_lines(self, lines: list[str]) -> list[str]:
        """Return the sorted lines; may or may not sort the list in place."""
        keys, tick = self.keys, self.tick
        if not keys:
            return self.sort_whole_lines(lines, unique=self.unique)
        if len(keys) == 1 and keys[0].is_number and self.line_end == "\n":
            if self.all_match(NATURAL_LINES, lines):
                return self.sort_by_size(lines, len)
            if self.all_match(INTEGER_LINES, lines):
                return self.sort_by_size(lines, signed_size)
        if len(self.directions) > len(keys):
            lines = self.sort_whole_lines(lines)
        key_texts = self.key_texts(lines)
        groups = self.sort_by_groups(lines, key_texts[0]) if len(keys) == 1 else None
        if groups is not None:
            return groups
        columns = self.key_values(key_texts)
        order = self.line_order(columns)
        if self.unique:
            order = self.first_of_equals(order, columns)
        return map_pieces(lambda piece: map(lines.__getitem__, piece), order, tick)

    def sort_whole_lines(self, lines: list[str], *, unique: bool = False) -> list[str]:
        """Sort by the whole line; if there are few different lines, sort only those."""
        tick = self.tick
        if not has_few_values(lines):
            result = PieceSorter(None, tick).run(lines, self.is_reversed)
            return drop_repeats(result, tick) if unique else result
        counts = count_items(lines, tick)
        different = PieceSorter(None, tick).run([*counts], self.is_reversed)
        if unique:
            return different
        result = []
        for line in different:
            result += [line] * counts[line]
        return result

    def all_match(self, pattern: re.Pattern[str], lines: list[str]) -> bool:
        """Whether a pattern matches all lines."""
        pieces = ("\n".join([*piece, ""]) for piece in slices(lines, self.tick))
        return all(map(pattern.fullmatch, pieces))

    def sort_by_size(self, lines: list[str], size: Callable[[str], int]) -> list[str]:
        """Sort integers: by length and sign, and those of the same length as texts."""
        (is_reversed, *_), tick = self.directions, self.tick
        by_length, result = group_by_key(lines, map(size, lines), tick), []
        for length in sorted(by_length, reverse=is_reversed):
            result += PieceSorter(None, tick).run(by_length[length], is_reversed == (length > 0))
        return drop_repeats(result, tick) if self.unique else result

    def sort_by_groups(self, lines: list[str], texts: list[str]) -> list[str] | None:
        """Sort by the only key, if it has few texts, each with a different value; else None."""
        if not has_few_values(texts):
            return None
        groups = group_by_key(lines, texts, self.tick)
        different = [*groups]
        compared = comparison_values(self.keys[0], different, self.salt, self.tick)
        values = dict(zip(different, compared, strict=True))
        if len(set(values.values())) < len(different):
            return None
        result: list[str] = []
        for text in PieceSorter(values.__getitem__, self.tick).run(different, self.directions[0]):
            result += groups[text][:1] if self.unique else groups[text]
        return result

    def merge_files(self, files: Sequence[list[str]]) -> list[str]:
        """Merge the lines of several files: always take the least of their next lines."""
        lines = list(chain.from_iterable(files))
        columns, tick = self.comparison_columns(lines), self.tick
        ranks, rank = [0] * len(lines), 0
        for before, i in pairwise(self.line_order(columns)):
            if not i % ITEMS_PER_TICK:
                tick()
            rank += any(values[before] != values[i] for values in columns)
            ranks[i] = rank
        ranges, start = [], 0
        for file in files:
            ranges.append(range(start, start + len(file)))
            start += len(file)
        following = merge(*ranges, key=ranks.__getitem__)
        merged: list[int] = []
        while piece := list(islice(following, ITEMS_PER_TICK)):
            tick()
            merged += piece
        if self.unique:
            merged = self.first_of_equals(merged, [ranks])
        return map_pieces(lambda indices: map(lines.__getitem__, indices), merged, tick)

    def line_order(self, columns: Sequence[Sequence[Any]]) -> list[int]:
        """Return the sorted line numbers: stable sorts, from the last column to the first."""
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
        """Return a column for each key, with the value of each line."""
        return self.key_values(self.key_texts(lines))

    def key_texts(self, lines: Sequence[str]) -> list[list[str]]:
        """Return for each key its text in each line."""
        columns: list[list[str]] = [[] for _ in self.keys]
        for piece in slices(lines, self.tick):
            piece_columns = texts_of_keys(piece, self.keys, self.separator, self.line_end)
            for column_texts, more in zip(columns, piece_columns, strict=True):
                column_texts += more
        return columns

    def key_values(self, texts: Sequence[Sequence[str]]) -> list[Sequence[Any]]:
        """Return for each key the values by which its texts are compared."""
        return [
            comparison_values(key, column_texts, self.salt, self.tick)
            for key, column_texts in zip(self.keys, texts, strict=True)
        ]

    def first_of_equals(self, order: Sequence[int], columns: Sequence[Sequence[Any]]) -> list[int]:
        """Keep only the first of lines with equal keys."""
        kept: list[int] = []
        last = None
        for piece in slices(order, self.tick):
            rows = list(zip(*[map(values.__getitem__, piece) for values in columns], strict=True))
            kept += [i for i, row, before in zip(piece, rows, [last, *rows], strict=False)
                      if row != before]  # fmt: skip
            last = rows[-1]
        return kept

    def find_disorder(self, batches: Iterable[list[str]]) -> tuple[int, str] | None:
        """Return the number and text of the first line that is out of order, or None."""
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
        """Whether a line must not follow the one before it."""
        for values, is_reversed in zip(columns, self.directions, strict=True):
            if values[i - 1] != values[i]:
                return bool((values[i - 1] < values[i]) == is_reversed)
        return self.unique

    def comparison_columns(self, lines: Sequence[str]) -> list[Sequence[Any]]:
        """Return the columns to compare: the keys' values, and the lines if they count."""
        return [*self.key_columns(lines), lines][: len(self.directions)]

    @property
    def directions(self) -> list[bool]:
        """Whether each of the comparison columns is reversed."""
        directions = [key.is_reversed for key in self.keys]
        return (
            directions
            if directions and (self.stable or self.unique)
            else [*directions, self.is_reversed]
        )


def signed_size(number: str) -> int:
    """Return the length of a number, negated if the number is negative."""
    return -len(number) if number[0] == "-" else len(number)
