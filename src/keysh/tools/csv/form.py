"""Form: how a table is spelled: what separates fields, what quotes them, and what is typed."""

from __future__ import annotations

import re

from keysh.values import CONTAINERS, json_of, number, text_of, typed

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?")  # as JSON has them


class FormError(Exception):
    """A table, or what is asked of it, cannot be; the message says where and why."""


class Form:
    """The spelling of a table."""

    __slots__ = ("_special", "delimiter", "is_text", "quote")

    def __init__(self, delimiter: str, quote: str, *, is_text: bool) -> None:
        self.delimiter = "\t" if delimiter == "\\t" else delimiter
        self.quote, self.is_text = quote, is_text
        for name, char in (("delimiter", self.delimiter), ("quote", quote)):
            if len(char) != 1 or char in "\r\n":
                raise FormError(f"the {name} must be a single character, but is {json_of(char)}")
        if self.delimiter == quote:
            raise FormError(f"the delimiter and the quote are the same: {json_of(quote)}")
        # What cannot stand in a field without quotes.
        self._special = re.compile(f"[{re.escape(self.delimiter + quote)}\n\r]").search

    def split(self, names: str) -> list[str]:
        """Names of columns, given with commas between them."""
        found = names.split(",")
        self.refuse_doubles(found)
        return found

    def refuse_doubles(self, names: list[str]) -> None:
        """A record has each name once."""
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise FormError(f"two columns are named {json_of(name)}")
            seen.add(name)

    def values(self, fields: list[str]) -> list[object]:
        """What fields without quotes mean."""
        return list(fields) if self.is_text else [meaning(field) for field in fields]

    def field(self, value: object) -> str:
        """A value as a field: in quotes where it would be read as something else without them."""
        if isinstance(value, str):
            is_quoted = self._misleads(value)
            text: str = value
        else:
            text = json_of(value) if isinstance(value, CONTAINERS) else text_of(value)
            is_quoted = self._special(text) is not None
        return (
            f"{self.quote}{text.replace(self.quote, self.quote * 2)}{self.quote}"
            if is_quoted
            else text
        )

    def _misleads(self, text: str) -> bool:
        """Whether a text without quotes would not be read as the same text."""
        if self._special(text) or text[:1].isspace() or text[-1:].isspace():
            return True
        if text.startswith("\ufeff"):  # at the start of a file it would be its mark
            return True
        return not self.is_text and (not text or meaning(text).__class__ is not str)


def misfit(count: int, noun: str, width: int) -> FormError:
    """The refusal of a row that has so many of something in a table of so many columns."""
    has, wants = (f"{n} {what}{'s' * (n != 1)}" for n, what in ((count, noun), (width, "column")))
    return FormError(f"{has}, but the table has {wants}")


def meaning(field: str) -> object:
    """A field without quotes as a value; a number keeps its spelling."""
    if not field:
        return None
    value = typed(field)
    if value.__class__ is str and field[0] in "-0123456789" and NUMBER.fullmatch(field):
        return number(field)
    return value
