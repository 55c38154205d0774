"""Form: how a table is spelled: what separates fields, what quotes them, and what is typed."""

from __future__ import annotations

import re

from keysh.values import CONTAINERS, json_number, json_of, text_of, value_of_text

JSON_NUMBER = re.compile(
    r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?"
)  # as JSON has them


class CsvError(Exception):
    """A table, or what is asked of it, cannot be; the message says where and why."""


class CsvFormat:
    """The spelling of a table."""

    __slots__ = ("_needs_quotes", "delimiter", "is_text", "quote")

    def __init__(self, delimiter: str, quote: str, *, is_text: bool) -> None:
        self.delimiter = "\t" if delimiter == "\\t" else delimiter
        self.quote, self.is_text = quote, is_text
        for name, char in (("delimiter", self.delimiter), ("quote", quote)):
            if len(char) != 1 or char in "\r\n":
                raise CsvError(f"the {name} must be a single character, but is {json_of(char)}")
        if self.delimiter == quote:
            raise CsvError(f"the delimiter and the quote are the same: {json_of(quote)}")
        # What cannot stand in a field without quotes.
        self._needs_quotes = re.compile(f"[{re.escape(self.delimiter + quote)}\n\r]").search

    def column_names(self, names: str) -> list[str]:
        """Names of columns, given with commas between them."""
        found = names.split(",")
        self.refuse_duplicates(found)
        return found

    def refuse_duplicates(self, names: list[str]) -> None:
        """A record has each name once."""
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise CsvError(f"two columns are named {json_of(name)}")
            seen.add(name)

    def values(self, fields: list[str]) -> list[object]:
        """What fields without quotes mean."""
        return list(fields) if self.is_text else [field_value(field) for field in fields]

    def field(self, value: object) -> str:
        """A value as a field: in quotes where it would be read as something else without them."""
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
        """Whether a text without quotes would not be read as the same text."""
        if self._needs_quotes(text) or text[:1].isspace() or text[-1:].isspace():
            return True
        if text.startswith("\ufeff"):  # at the start of a file it would be its mark
            return True
        return not self.is_text and (not text or field_value(text).__class__ is not str)


def width_error(count: int, noun: str, width: int) -> CsvError:
    """The refusal of a row that has so many of something in a table of so many columns."""
    has, wants = (f"{n} {what}{'s' * (n != 1)}" for n, what in ((count, noun), (width, "column")))
    return CsvError(f"{has}, but the table has {wants}")


def field_value(field: str) -> object:
    """A field without quotes as a value; a number keeps its spelling."""
    if not field:
        return None
    value = value_of_text(field)
    if value.__class__ is str and field[0] in "-0123456789" and JSON_NUMBER.fullmatch(field):
        return json_number(field)
    return value
