"""Joining: two sorted files, their lines paired by a field."""

from __future__ import annotations

import re

from keysh.runtime.call import shown, why
from keysh.runtime.streams import reader_of
from keysh.text.lines import lines
from keysh.text.octets import from_octets, octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call

BLANKS = re.compile(r"[ \t\n]+")
UPPER = {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}


class Row:
    """A line: its fields, and the one that counts as it is compared."""

    __slots__ = ("fields", "key", "line", "number")

    def __init__(self, line: str, number: int, fields: list[str], key: str) -> None:
        self.line, self.number, self.fields, self.key = line, number, fields, key


class Joining:
    """Two sorted files, joined. All is in octets."""

    __slots__ = (
        "_empty", "_files", "_ignores_case", "_is_unpaired", "_sh", "_told", "alone", "end",
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
        self.failure = ""  # why the lines end early

    def lines(self, files: tuple[str, ...], has_header: bool) -> Iterator[str]:
        """What is printed."""
        self._files = files
        sides = [self._rows(i, files[i]) for i in range(2)]
        old, new = (next(side, None) for side in sides)
        if self.is_auto:
            self.shape = [(-1, 0)]
            for i, row in enumerate((old, new)):
                count = len(row.fields) if row is not None else 0
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
            if old.key < new.key:
                if 0 in self.alone:
                    yield self._printed(old, None)
                old = self._next(0, sides[0], old)
                self._is_unpaired = True
            elif new.key < old.key:
                if 1 in self.alone:
                    yield self._printed(None, new)
                new = self._next(1, sides[1], new)
                self._is_unpaired = True
            else:
                key, lefts, rights = old.key, [], []
                row: Row | None = old
                while row is not None and row.key == key:
                    lefts.append(row)
                    old = row = self._next(0, sides[0], row)
                row = new
                while row is not None and row.key == key:
                    rights.append(row)
                    new = row = self._next(1, sides[1], row)
                if self._has_failed():
                    return
                for left in lefts if self.prints_pairs else ():
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
        if row is None or row.key >= before.key or self._told[i]:
            return row
        if self.order == "check_order" or (not self.order and self._is_unpaired):
            says = f"{self._files[i]}:{row.number}: is not sorted: {from_octets(row.line)}"
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
                for number, line in enumerate(lines(map(octets, reader.chunks()), self.end), 1):
                    sh.tick()
                    yield self._row(line.removesuffix(self.end), number, i)
            finally:
                if reader is not sh.stdin:
                    reader.close()
        except OSError as error:
            raise sh.fail(f"{shown(name)}: {why(error)}") from None

    def _row(self, line: str, number: int, i: int) -> Row:
        """A line in its fields."""
        if self.separator:
            fields = line.split(self.separator)
            if not line:
                fields = []
        else:
            text = line.lstrip(" \t\n")  # blanks at the end have an empty field behind them
            fields = BLANKS.split(text) if text else []
        at = self.fields[i]
        key = fields[at] if at < len(fields) else ""
        return Row(line, number, fields, key.translate(UPPER) if self._ignores_case else key)

    def _printed(self, old: Row | None, new: Row | None) -> str:
        """A pair as it is printed, or what stands for one."""
        rows, gap = (old, new), self.separator if self.separator not in ("", self.end) else " "
        pieces = []
        if self.shape:
            for file, at in self.shape:
                if file < 0:
                    file = 0 if old is not None else 1
                    at = self.fields[file]
                row = rows[file]
                text = row.fields[at] if row is not None and at < len(row.fields) else ""
                pieces.append(text or self._empty)
            return gap.join(pieces) + self.end
        file = 0 if old is not None else 1
        first = rows[file]
        assert first is not None
        at = self.fields[file]
        pieces.append((first.fields[at] if at < len(first.fields) else "") or self._empty)
        for i, row in enumerate(rows):
            if row is not None:
                pieces += [
                    text or self._empty for j, text in enumerate(row.fields) if j != self.fields[i]
                ]
        return gap.join(pieces) + self.end
