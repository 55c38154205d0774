"""The CSV dialect: separator, quotation mark, and which fields become typed values."""

from __future__ import annotations

import re

from keysh.values import CONTAINERS, json_number, json_of, text_of, value_of_text

JSON_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")  # as in JSON


class CsvError(Exception):
    """The table or the options are invalid; the message says where and why."""


class CsvFormat:
    """A CSV dialect."""

    __slots__ = ("_needs_quotes", "delimiter", "is_text", "quote")

    def __init__(self, delimiter: str, quote: str, *, is_text: bool) -> None:
        self.delimiter = "\t" if delimiter == "\\t" else delimiter
        self.quote, self.is_text = quote, is_text
        for name, char in (("delimiter", self.delimiter), ("quote", quote)):
            if len(char) != 1 or char in "\r\n":
                raise CsvError(f"the {name} must be a single character, but is {json_of(char)}")
        if self.delimiter == quote:
            raise CsvError(f"the delimiter and the quote are the same: {json_of(quote)}")
        # Characters that force quotes.
        self._needs_quotes = re.compile(f"[{re.escape(self.delimiter + quote)}\n\r]").search

    def column_names(self, names: str) -> list[str]:
        """Split a comma-separated list of column names."""
        columns = names.split(",")
        self.refuse_duplicates(columns)
        return columns

    def refuse_duplicates(self, names: list[str]) -> None:
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise CsvError(f"two columns are named {json_of(name)}")
            seen.add(name)

    def values(self, fields: list[str]) -> list[object]:
        """Return the values of unquoted fields."""
        return list(fields) if self.is_text else [field_value(field) for field in fields]

    def field(self, value: object) -> str:
        """Format a value as a field, with quotes if it would be misread without them."""
        if isinstance(value, str):
            is_quoted = self._is_ambiguous(value)
            text: str = value
        else:
            text = json_of(value) if isinstance(value, CONTAINERS) else text_of(value)
            is_quoted = self._needs_quotes(text) is not None
        return (
            f"{self.quote}{text.replace(self.quote, self.quote * 2)}{self.quote}"
            if is_quoted
            else text
        )

    def _is_ambiguous(self, text: str) -> bool:
        """Whether a string without quotes would be read as something else."""
        if self._needs_quotes(text) or text[:1].isspace() or text[-1:].isspace():
            return True
        if text.startswith("\ufeff"):  # read as a byte order mark at the start of a file
            return True
        return not self.is_text and (not text or field_value(text).__class__ is not str)


def width_error(count: int, noun: str, width: int) -> CsvError:
    """Return the error for a row with `count` items in a table of `width` columns."""
    has, wants = (f"{n} {what}{'s' * (n != 1)}" for n, what in ((count, noun), (width, "column")))
    return CsvError(f"{has}, but the table has {wants}")


def field_value(field: str) -> object:
    """Return the value of an unquoted field; a number keeps its spelling."""
    if not field:
        return None
    value = value_of_text(field)
    if value.__class__ is str and field[0] in "-0123456789" and JSON_NUMBER.fullmatch(field):
        return json_number(field)
    return value
