"""Write JSON lines as the rows of a CSV table as they arrive."""

from __future__ import annotations

from keysh.text.chunks import batch_lines
from keysh.tools.csv.form import CsvError, width_error
from keysh.values import CONTAINERS, json_of, type_with_article, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.tools.csv.form import CsvFormat


class CsvTable:
    """The columns of the table being written; by default the first row settles them.

    Given columns select what is written of each record, and a record may lack some. Otherwise every
    record must have the columns of the first.
    """

    __slots__ = ("_form", "_has_fixed_columns", "_names", "_width", "has_header")

    def __init__(self, form: CsvFormat, names: list[str] | None, *, has_header: bool) -> None:
        self._form, self._names, self._has_fixed_columns = form, names, names is not None
        self._width = None if names is None else len(names)
        self.has_header = has_header

    def line(self, row: object) -> str:
        """Format a row, after the header if that is still due."""
        if isinstance(row, dict):
            values = self._record_values(row)
        elif isinstance(row, list):
            values = row
        else:
            raise CsvError(f"a row must be a record or a list, but is {type_with_article(row)}")
        if self._width is None:
            self._width = len(values)
        elif self._width != len(values):
            raise width_error(len(values), "value", self._width)
        head = ""
        if self.has_header:
            self.has_header = False
            head = "" if self._names is None else self._joined_fields(list(self._names))
        return head + self._joined_fields(values)

    def _record_values(self, record: dict[str, object]) -> list[object]:
        """Return a record's values in column order."""
        names = self._names
        if names is None:
            names = self._names = list(record)
        if self._has_fixed_columns:
            return [record.get(name) for name in names]
        if len(record) != len(names) or any(name not in record for name in names):
            fix = "fix: name the columns with --columns"
            for name in names:
                if name not in record:
                    raise CsvError(f"the record has no {json_of(name)}, unlike the first\n{fix}")
            more = next(name for name in record if name not in names)
            raise CsvError(f"the record has {json_of(more)}, unlike the first\n{fix}")
        return [record[name] for name in names]

    def _joined_fields(self, values: list[object]) -> str:
        field = self._form.field
        text = self._form.delimiter.join([field(value) for value in values])
        return f"{text or self._form.quote * 2}\n"  # an empty line would be skipped by readers


def csv_chunks(lines: Iterable[str], table: CsvTable) -> Iterator[str]:
    """Format JSON lines as CSV, in chunks."""
    return batch_lines(csv_lines(lines, table))


def csv_lines(lines: Iterable[str], table: CsvTable) -> Iterator[str]:
    """Yield the lines of the table; a JSON line is a row or a list of rows."""
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            value = value_of_json(text)
        except ValueError as error:
            raise CsvError(f"line {number} is not JSON: {error}") from None
        is_many = isinstance(value, list) and all(isinstance(item, CONTAINERS) for item in value)
        try:
            for row in value if is_many else (value,):  # type: ignore[attr-defined]
                yield table.line(row)
        except CsvError as error:
            raise CsvError(f"line {number}: {error}") from None
