"""Joining: two sorted files, their lines paired by a field."""

from __future__ import annotations

import re
from itertools import count, repeat

from keysh.runtime.call import shown, why
from keysh.runtime.streams import reader_of
from keysh.text.lines import whole_lines
from keysh.text.octets import from_octets, octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Final, TypeAlias

    from keysh.runtime.call import Call

    # A line: the field that counts as it is compared and as it is printed, the others with what
    # separates them, all fields, the text, its number. Where a format asks for fields there are no
    # others, and where none does, the fields may be missing.
    Row: TypeAlias = tuple[str, str, str, list[str], str, int]

BLANKS = re.compile(r"[ \t\n]+")
# Where no line has one of these, a single space is what separates all fields.
UNTIDY = ("\t", "  ", "\n ")
# What is where in a row.
KEY: Final = 0
HEAD: Final = 1
OTHERS: Final = 2
FIELDS: Final = 3
LINE: Final = 4
NUMBER: Final = 5
UPPER = {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}


class Joining:
    """Two sorted files, joined. All is in octets."""

    __slots__ = (
        "_empty", "_files", "_gap", "_ignores_case", "_is_unpaired", "_sh", "_told", "alone", "end",
        "failure", "fields", "is_auto", "is_disordered", "order", "prints_pairs", "separator",
        "shape",
    )  # fmt: skip

    def __init__(self, sh: Call, empty: str, separator: str, ignore_case: bool) -> None:
        self._sh, self._empty, self._ignores_case = sh, empty, ignore_case
        self.separator = separator  # blanks where there is none
        self.alone: set[int] = set()  # files of which lines without a pair are printed
        self.fields, self.end, self.order = (0, 0), "\n", ""
        self.shape: list[tuple[int, int]] = []
        self.prints_pairs, self.is_auto, self.is_disordered = True, False, False
        self._told = [False, False]
        self._is_unpaired = False
        self._files: tuple[str, ...] = ()
        self._gap = ""  # what stands between fields
        self.failure = ""  # why the lines end early

    def lines(self, files: tuple[str, ...], has_header: bool) -> Iterator[str]:
        """What is printed."""
        self._files = files
        self._gap = self.separator if self.separator not in ("", self.end) else " "
        sides = [self._rows(i, files[i]) for i in range(2)]
        old, new = (next(side, None) for side in sides)
        if self.is_auto:
            self.shape = [(-1, 0)]
            for i, row in enumerate((old, new)):
                count = len(row[FIELDS]) if row is not None else 0
                self.shape += [(i, at) for at in range(count) if at != self.fields[i]]
        if has_header and (old or new):
            yield self._printed(old, new)
            old = next(sides[0], None) if old else None
            new = next(sides[1], None) if new else None
        yield from self._merged(old, new, sides)

    def _merged(
        self, old: Row | None, new: Row | None, sides: list[Iterator[Row]]
    ) -> Iterator[str]:
        """The lines behind the headers."""
        while old is not None and new is not None and not self._has_failed():
            if old[KEY] < new[KEY]:
                if 0 in self.alone:
                    yield self._printed(old, None)
                old = self._next(0, sides[0], old)
                self._is_unpaired = True
            elif new[KEY] < old[KEY]:
                if 1 in self.alone:
                    yield self._printed(None, new)
                new = self._next(1, sides[1], new)
                self._is_unpaired = True
            else:
                key, lefts, rights = old[KEY], [], []
                row: Row | None = old
                while row is not None and row[KEY] == key:
                    lefts.append(row)
                    old = row = self._next(0, sides[0], row)
                row = new
                while row is not None and row[KEY] == key:
                    rights.append(row)
                    new = row = self._next(1, sides[1], row)
                if self._has_failed():
                    return
                for left in lefts if self.prints_pairs else ():
                    if len(rights) > 1:
                        self._sh.tick()
                    for right in rights:
                        yield self._printed(left, right)
        for i, row in enumerate((old, new)):
            if row is not None and (i in self.alone or self.order != "nocheck_order"):
                self._is_unpaired = self._is_unpaired or (old is not None and new is not None)
                yield from self._tail(i, row, sides[i])

    def _has_failed(self) -> bool:
        """Whether a file is out of order, where that is the end."""
        return bool(self.failure)

    def _tail(self, i: int, row: Row | None, side: Iterator[Row]) -> Iterator[str]:
        """What is left of one file. It is read even where nothing is printed, for its order."""
        while row is not None and not self._has_failed():
            if i in self.alone:
                yield self._printed(*((row, None) if not i else (None, row)))
            elif self._told[i]:
                return
            row = self._next(i, side, row)

    def _next(self, i: int, side: Iterator[Row], before: Row) -> Row | None:
        """The next line of a file; it is to be behind the one before.

        GNU's looks at that only once a line has had no pair, unless it is asked to.
        """
        row = next(side, None)
        if row is None or row[KEY] >= before[KEY] or self._told[i]:
            return row
        if self.order == "check_order" or (not self.order and self._is_unpaired):
            says = f"{self._files[i]}:{row[NUMBER]}: is not sorted: {from_octets(row[LINE])}"
            if self.order:
                self.failure = self.failure or says
            else:
                self._sh.warn(says)
                self._told[i] = self.is_disordered = True
        return row

    def _rows(self, i: int, name: str) -> Iterator[Row]:
        """The lines of a file."""
        sh = self._sh
        try:
            reader = sh.stdin if name == "-" else reader_of(sh.open(name))
            try:
                number = 1
                for text in whole_lines(map(octets, reader.chunks()), self.end):
                    sh.tick()
                    lines = text.removesuffix(self.end).split(self.end)
                    is_tidy = (
                        self.end == "\n"
                        and not any(odd in text for odd in UNTIDY)
                        and not text.startswith(" ")
                    )
                    separator = self.separator or (" " if is_tidy else "")
                    columns = self._columns(lines, self.fields[i], separator)
                    yield from zip(*columns, lines, count(number))
                    number += len(lines)
            finally:
                if reader is not sh.stdin:
                    reader.close()
        except OSError as error:
            is_read = isinstance(error, IsADirectoryError)
            what = "read error" if is_read else shown(name)
            raise sh.fail(f"{what}: {why(error)}") from None

    def _in_fields(self, lines: list[str], separator: str) -> list[list[str]]:
        """The fields of lines; an empty line has none."""
        if separator:
            return [line.split(separator) if line else [] for line in lines]
        texts = [line.lstrip(" \t\n") for line in lines]
        # Blanks at the end have an empty field behind them.
        return [BLANKS.split(text) if text else [] for text in texts]

    def _columns(
        self, lines: list[str], at: int, separator: str
    ) -> tuple[Iterable[str], Iterable[str], Iterable[str], Iterable[list[str]]]:
        """What rows have of lines, but for the lines themselves and their numbers."""
        has_format = self.is_auto or self.shape
        others: Iterable[str] = repeat("")
        rows: Iterable[list[str]] = repeat([])
        if separator and not (at or self._empty or has_format):  # all stays as it is
            heads = [line.partition(separator)[0] for line in lines]
            others = [line[len(head) :] for line, head in zip(lines, heads, strict=True)]
        else:
            rows = split = self._in_fields(lines, separator)
            heads = [fields[at] if at < len(fields) else "" for fields in split]
            if not has_format:
                others = [self._joined([*fields[:at], *fields[at + 1 :]]) for fields in split]
        keys = [head.translate(UPPER) for head in heads] if self._ignores_case else heads
        return keys, heads, others, rows

    def _joined(self, fields: list[str]) -> str:
        """Fields as they are printed behind another one."""
        if self._empty:
            fields = [text or self._empty for text in fields]
        return self._gap + self._gap.join(fields) if fields else ""

    def _printed(self, old: Row | None, new: Row | None) -> str:
        """A pair as it is printed, or what stands for one."""
        first = old or new
        assert first is not None
        if not self.shape:
            others = (first[OTHERS] + new[OTHERS]) if old and new else first[OTHERS]
            return (first[HEAD] or self._empty) + others + self.end
        pieces, rows = [], (old, new)
        for file, at in self.shape:
            row = rows[file]
            if file < 0:
                text = first[HEAD]
            else:
                text = row[FIELDS][at] if row and at < len(row[FIELDS]) else ""
            pieces.append(text or self._empty)
        return self._gap.join(pieces) + self.end
