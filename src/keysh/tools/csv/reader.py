"""Reader: the rows of a CSV text, as they come.

    lines -> fields, of which a quoted one may reach over lines -> values -> records

A row without quotes, which most are, is split at once.
"""

from __future__ import annotations

import re

from keysh.text.chunks import bare_lines
from keysh.tools.csv.form import CsvError, width_error
from keysh.values import json_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.tools.csv.form import CsvFormat

MAX_ROW_CHARACTERS = 16 << 20  # characters of a row that reaches over lines


class CsvReader:
    """Reads one table; the names of its columns are given, or stand in its first row."""

    __slots__ = (
        "_fields", "_form", "_has_header", "_quoted_text", "_line_number", "_names", "_open_field", "_selected_indexes",
        "_row_size", "_row_line", "_width",
    )  # fmt: skip

    def __init__(self, form: CsvFormat, names: list[str] | None, *, has_header: bool) -> None:
        self._form, self._names, self._has_header = form, names, has_header
        self._width = len(names) if names is not None and not has_header else None
        self._selected_indexes: list[int] | None = None  # the places of the columns that are wanted
        quote = re.escape(form.quote)
        # Up to the quote that ends the field, or the end of the line; two quotes stand for one.
        self._quoted_text = re.compile(f"[^{quote}]*(?:{quote}{quote}[^{quote}]*)*")
        self._line_number = self._row_line = self._row_size = (
            0  # lines read, where the row begins, its length
        )
        self._fields: list[object] = []  # of the row that is being read
        self._open_field: list[str] | None = None  # of the quoted field that is being read

    def rows(self, chunks: Iterable[str]) -> Iterator[object]:
        """The records; lists where the columns have no names."""
        for values in self._raw_rows(chunks):
            if self._has_header:
                self._has_header = False
                self._read_header([text_of(value) for value in values])
                continue
            if self._width is None:
                self._width = len(values)
            if len(values) != self._width:
                raise CsvError(
                    f"line {self._row_line}: {width_error(len(values), 'field', self._width)}"
                )
            if self._selected_indexes is not None:
                values = [values[at] for at in self._selected_indexes]
            yield values if self._names is None else dict(zip(self._names, values, strict=True))

    def _raw_rows(self, chunks: Iterable[str]) -> Iterator[list[object]]:
        """The values of each row."""
        delimiter, quote, values = self._form.delimiter, self._form.quote, self._form.values
        for lines in bare_lines(chunks):
            if self._line_number == 0:
                lines[0] = lines[0].removeprefix("\ufeff")  # the mark that some writers put first
            for line in lines:
                self._line_number += 1
                if self._open_field is None and quote not in line:
                    self._row_line = self._line_number
                    line = line.removesuffix("\r")
                    if line:  # an empty line is no row
                        yield values(line.split(delimiter))
                elif (row := self._read_quoted_line(line)) is not None:
                    yield row
        if self._open_field is not None:
            raise CsvError(f"line {self._row_line}: a quote is not closed")

    def _read_quoted_line(self, line: str) -> list[object] | None:
        """Read on in a row with quotes; its values where it is over."""
        if self._open_field is None:
            self._row_line, self._row_size, self._fields, at = self._line_number, 0, [], 0
        else:
            at = self._read_quoted_field(line, 0)
        self._row_size += len(line)
        if self._row_size > MAX_ROW_CHARACTERS:
            most = f"{MAX_ROW_CHARACTERS >> 20} MiB"
            raise CsvError(
                f"line {self._row_line}: the row is longer than {most}; is a quote open?"
            )
        delimiter, quote = self._form.delimiter, self._form.quote
        while 0 <= at <= len(line):
            if line.startswith(quote, at):
                self._open_field = []
                at = self._read_quoted_field(line, at + 1)
                continue
            end = line.find(delimiter, at)
            if end < 0:
                end = len(line)
            field = line[at:end].removesuffix("\r") if end == len(line) else line[at:end]
            self._fields += self._form.values([field])
            at = end + 1
        if self._open_field is not None:
            return None
        return self._fields

    def _read_quoted_field(self, line: str, at: int) -> int:
        """Read on in a quoted field; where the next field begins, or -1 if it goes on."""
        assert self._open_field is not None
        match = self._quoted_text.match(line, at)
        assert match is not None  # it also matches nothing
        end, quote = match.end(), self._form.quote
        self._open_field.append(match[0].replace(quote * 2, quote))
        if end == len(line):
            self._open_field.append("\n")
            return -1
        self._fields.append("".join(self._open_field))
        self._open_field = None
        rest = line[end + 1 : end + 3]
        if rest in ("", "\r") or rest[0] == self._form.delimiter:
            return end + 2 if rest and rest != "\r" else len(line) + 1
        column = f"line {self._line_number}, character {end + 2}"
        raise CsvError(f"{column}: {json_of(rest[0])} behind a closing quote")

    def _read_header(self, header: list[str]) -> None:
        """Take the names of the columns from the first row, and find those that are wanted."""
        self._form.refuse_duplicates(header)
        self._width = len(header)
        if self._names is None:
            self._names = header
            return
        for name in self._names:
            if name not in header:
                raise CsvError(f"line {self._row_line}: no column is named {json_of(name)}")
        self._selected_indexes = [header.index(name) for name in self._names]
