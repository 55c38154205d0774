"""Read the rows of a CSV text as they arrive.

    lines -> fields, where a quoted one may span lines -> values -> records

A row without quotes, the usual case, is split at once.
"""

from __future__ import annotations

import re

from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS, split_in_slices
from keysh.tools.csv.form import CsvError, width_error
from keysh.values import json_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.tools.csv.form import CsvFormat

MAX_ROW_CHARACTERS = 16 << 20  # of a row that spans lines


class CsvReader:
    """Reads one table; its column names are given or come from its header."""

    __slots__ = (
        "_fields", "_form", "_has_header", "_line_number", "_names", "_open_field", "_quoted_text",
        "_row_line", "_row_size", "_selected_indexes", "_tick", "_width",
    )  # fmt: skip

    def __init__(
        self,
        form: CsvFormat,
        names: list[str] | None,
        tick: Callable[[], object],
        *,
        has_header: bool,
    ) -> None:
        self._form, self._names, self._has_header = form, names, has_header
        self._tick = tick
        self._width = len(names) if names is not None and not has_header else None
        self._selected_indexes: list[int] | None = None  # of the requested columns
        quote = re.escape(form.quote)
        # Up to the closing quote or the end of the line; a doubled quote is a literal one.
        self._quoted_text = re.compile(f"[^{quote}]*(?:{quote}{quote}[^{quote}]*)*")
        # Lines read, the row's first line, and the row's length.
        self._line_number = self._row_line = self._row_size = 0
        self._fields: list[object] = []  # of the current row
        self._open_field: list[str] | None = None  # pieces of an unfinished quoted field

    def rows(self, line_lists: Iterable[list[str]]) -> Iterator[object]:
        """Yield the records, or lists if the columns have no names."""
        for values in self._raw_rows(line_lists):
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
                values = [values[index] for index in self._selected_indexes]
            yield values if self._names is None else dict(zip(self._names, values, strict=True))

    def _raw_rows(self, line_lists: Iterable[list[str]]) -> Iterator[list[object]]:
        """Yield the values of each row."""
        delimiter, quote, values = self._form.delimiter, self._form.quote, self._form.values
        for lines in line_lists:
            if self._line_number == 0:
                lines[0] = lines[0].removeprefix("\ufeff")  # byte order mark
            for line in lines:
                self._line_number += 1
                if self._open_field is None and quote not in line:
                    self._row_line = self._line_number
                    line = line.removesuffix("\r")
                    if line:  # empty lines are skipped
                        yield values(
                            line.split(delimiter)
                            if len(line) <= MAX_SLICE_CHARACTERS
                            else split_in_slices(line, delimiter, self._tick)
                        )
                elif (row := self._read_quoted_line(line)) is not None:
                    yield row
        if self._open_field is not None:
            raise CsvError(f"line {self._row_line}: a quote is not closed")

    def _read_quoted_line(self, line: str) -> list[object] | None:
        """Read a line of a row with quotes; return the row's values once it is complete."""
        if self._open_field is None:
            self._row_line, self._row_size, self._fields, start = self._line_number, 0, [], 0
        else:
            start = self._read_quoted_field(line, 0)
        self._row_size += len(line)
        if self._row_size > MAX_ROW_CHARACTERS:
            limit = f"{MAX_ROW_CHARACTERS >> 20} MiB"
            raise CsvError(
                f"line {self._row_line}: the row is longer than {limit}; is a quote open?"
            )
        delimiter, quote = self._form.delimiter, self._form.quote
        while 0 <= start <= len(line):
            if line.startswith(quote, start):
                self._open_field = []
                start = self._read_quoted_field(line, start + 1)
                continue
            end = line.find(delimiter, start)
            if end < 0:
                end = len(line)
            field = line[start:end].removesuffix("\r") if end == len(line) else line[start:end]
            self._fields += self._form.values([field])
            start = end + 1
        if self._open_field is not None:
            return None
        return self._fields

    def _read_quoted_field(self, line: str, start: int) -> int:
        """Read on in a quoted field; return where the next one begins, or -1."""
        assert self._open_field is not None
        match = self._quoted_text.match(line, start)
        assert match is not None  # it also matches the empty string
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
        raise CsvError(f"{column}: {json_of(rest[0])} after a closing quote")

    def _read_header(self, header: list[str]) -> None:
        """Read the column names and find the requested ones."""
        self._form.refuse_duplicates(header)
        self._width = len(header)
        if self._names is None:
            self._names = header
            return
        for name in self._names:
            if name not in header:
                raise CsvError(f"line {self._row_line}: no column is named {json_of(name)}")
        self._selected_indexes = [header.index(name) for name in self._names]
