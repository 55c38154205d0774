"""Reader: the rows of a CSV text, as they come.

    lines -> fields, of which a quoted one may reach over lines -> values -> records

A row without quotes, which most are, is split at once.
"""

from __future__ import annotations

import re

from keysh.text.chunks import bare_lines
from keysh.tools.csv.form import FormError, misfit
from keysh.values import json_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.tools.csv.form import Form

LONGEST_ROW = 16 << 20  # characters of a row that reaches over lines


class Reader:
    """Reads one table; the names of its columns are given, or stand in its first row."""

    __slots__ = (
        "_fields", "_form", "_has_header", "_inside", "_line", "_names", "_open", "_picked",
        "_size", "_start", "_width",
    )  # fmt: skip

    def __init__(self, form: Form, names: list[str] | None, *, has_header: bool) -> None:
        self._form, self._names, self._has_header = form, names, has_header
        self._width = len(names) if names is not None and not has_header else None
        self._picked: list[int] | None = None  # the places of the columns that are wanted
        quote = re.escape(form.quote)
        # Up to the quote that ends the field, or the end of the line; two quotes stand for one.
        self._inside = re.compile(f"[^{quote}]*(?:{quote}{quote}[^{quote}]*)*")
        self._line = self._start = self._size = 0  # lines read, where the row begins, its length
        self._fields: list[object] = []  # of the row that is being read
        self._open: list[str] | None = None  # of the quoted field that is being read

    def rows(self, chunks: Iterable[str]) -> Iterator[object]:
        """The records; lists where the columns have no names."""
        for values in self._raw_rows(chunks):
            if self._has_header:
                self._has_header = False
                self._head([text_of(value) for value in values])
                continue
            if self._width is None:
                self._width = len(values)
            if len(values) != self._width:
                raise FormError(f"line {self._start}: {misfit(len(values), 'field', self._width)}")
            if self._picked is not None:
                values = [values[at] for at in self._picked]
            yield values if self._names is None else dict(zip(self._names, values, strict=True))

    def _raw_rows(self, chunks: Iterable[str]) -> Iterator[list[object]]:
        """The values of each row."""
        delimiter, quote, values = self._form.delimiter, self._form.quote, self._form.values
        for lines in bare_lines(chunks):
            if self._line == 0:
                lines[0] = lines[0].removeprefix("\ufeff")  # the mark that some writers put first
            for line in lines:
                self._line += 1
                if self._open is None and quote not in line:
                    self._start = self._line
                    line = line.removesuffix("\r")
                    if line:  # an empty line is no row
                        yield values(line.split(delimiter))
                elif (row := self._quoted(line)) is not None:
                    yield row
        if self._open is not None:
            raise FormError(f"line {self._start}: a quote is not closed")

    def _quoted(self, line: str) -> list[object] | None:
        """Read on in a row with quotes; its values where it is over."""
        if self._open is None:
            self._start, self._size, self._fields, at = self._line, 0, [], 0
        else:
            at = self._close(line, 0)
        self._size += len(line)
        if self._size > LONGEST_ROW:
            most = f"{LONGEST_ROW >> 20} MiB"
            raise FormError(f"line {self._start}: the row is longer than {most}; is a quote open?")
        delimiter, quote = self._form.delimiter, self._form.quote
        while 0 <= at <= len(line):
            if line.startswith(quote, at):
                self._open = []
                at = self._close(line, at + 1)
                continue
            end = line.find(delimiter, at)
            if end < 0:
                end = len(line)
            field = line[at:end].removesuffix("\r") if end == len(line) else line[at:end]
            self._fields += self._form.values([field])
            at = end + 1
        if self._open is not None:
            return None
        return self._fields

    def _close(self, line: str, at: int) -> int:
        """Read on in a quoted field; where the next field begins, or -1 if it goes on."""
        assert self._open is not None
        match = self._inside.match(line, at)
        assert match is not None  # it also matches nothing
        end, quote = match.end(), self._form.quote
        self._open.append(match[0].replace(quote * 2, quote))
        if end == len(line):
            self._open.append("\n")
            return -1
        self._fields.append("".join(self._open))
        self._open = None
        rest = line[end + 1 : end + 3]
        if rest in ("", "\r") or rest[0] == self._form.delimiter:
            return end + 2 if rest and rest != "\r" else len(line) + 1
        column = f"line {self._line}, character {end + 2}"
        raise FormError(f"{column}: {json_of(rest[0])} behind a closing quote")

    def _head(self, header: list[str]) -> None:
        """Take the names of the columns from the first row, and find those that are wanted."""
        self._form.refuse_doubles(header)
        self._width = len(header)
        if self._names is None:
            self._names = header
            return
        for name in self._names:
            if name not in header:
                raise FormError(f"line {self._start}: no column is named {json_of(name)}")
        self._picked = [header.index(name) for name in self._names]
