"""Split records into fields, and keep a record that the program changes consistent."""

from __future__ import annotations

import re

from keysh.text.bounds.slices import MAX_SLICE_CHARACTERS, with_ticks
from keysh.text.shell_numbers import bounded_number
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.values import (
    BLANK_CHARACTERS,
    NUMBER_STARTS,
    AssignedString,
    NumericString,
    Unset,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, TypeAlias

    from keysh.text.regex.regex import Regex, RegexMatch
    from keysh.tools.awk.run.values import Value

    Tick: TypeAlias = Callable[[], object]
    Splitter: TypeAlias = Callable[[str], list[Any]]
    RegexOf: TypeAlias = Callable[[str], Regex]

FIELD_BYTES = 8  # of an empty field
BEYOND_FIELDS = 2.0**63
SMALL_FIELD_CHARACTERS = 1000
SHORT_TEXT_CHARACTERS = 4096
# Characters that str.split takes for blanks and awk does not.
ODD_BLANKS = "".join(
    [
        "\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680", *map(chr, range(0x2000, 0x200B)),
        "\u2028\u2029\u202f\u205f\u3000",
    ]
)  # fmt: skip
ODD_ASCII_BLANKS = "".join(filter(str.isascii, ODD_BLANKS))
NON_BLANK_PATTERN = re.compile(r"[^ \t\n]+")
# An item of FIELDWIDTHS: characters to skip, a colon, the width. And its valid beginning.
FIELD_WIDTH_PATTERN = re.compile(r"(?:([0-9]+):)?(0*[1-9][0-9]*|\*)$")
SKIP_PATTERN = re.compile(r"(?:[0-9]+:)?")


def split_words(text: str) -> list[str]:
    """Split a text at spaces, tabs and newlines."""
    if text.isascii() and text.isprintable():
        return text.split()
    return NON_BLANK_PATTERN.findall(text) if has_odd_blanks(text) else text.split()


def word_splitter(chunk: str) -> Splitter:
    """Return the fastest function that splits each record of a chunk into words."""
    return split_words if has_odd_blanks(chunk) else str.split


def has_odd_blanks(text: str) -> bool:
    """Return whether a text has odd blanks. One search for each is faster than a pattern."""
    blanks = ODD_ASCII_BLANKS if text.isascii() else ODD_BLANKS
    return any([blank in text for blank in blanks])  # noqa: C419 - a list is faster


def field_splitter(
    separator: str, regex_of: RegexOf, tick: Tick, *, by_paragraph: bool = False
) -> Splitter:
    """Return the function that splits by FS: into words, at a character, or at a regex.

    In paragraph mode an ASCII character and newlines both separate. IGNORECASE does not apply to
    a single character.
    """
    if separator == " ":
        return split_words
    if not separator:
        return list
    if len(separator) > 1:
        return regex_splitter(regex_of(separator), tick)
    if by_paragraph and separator.isascii():
        return lambda text: text.replace("\n", separator).split(separator) if text else []
    return lambda text: text.split(separator) if text else []


def regex_splitter(regex: Regex, tick: Tick) -> Splitter:
    """Return a function that splits at matches that are not empty."""
    literal = regex.literal
    if not literal:
        return lambda text: split_by_regex(regex, text, tick)[0]

    def split(text: str) -> list[str]:
        if len(text) > MAX_SLICE_CHARACTERS:
            return split_by_regex(regex, text, tick)[0]
        return text.split(literal) if text else []

    return split


def matches_in(regex: Regex, text: str, tick: Tick) -> Iterator[RegexMatch]:
    """Return the matches in a text; a long one ticks."""
    matches = regex.find_all(text, tick)
    return matches if len(text) < SHORT_TEXT_CHARACTERS else with_ticks(matches, tick)


def split_by_regex(regex: Regex, text: str, tick: Tick) -> tuple[list[str], list[str]]:
    """Return the pieces between matches, and the matches."""
    if not text:
        return [], []
    pieces: list[str] = []
    separators: list[str] = []
    position = 0
    for match in matches_in(regex, text, tick):
        if match.end > match.start:
            pieces.append(text[position : match.start])
            separators.append(text[match.start : match.end])
            position = match.end
    pieces.append(text[position:])
    return pieces, separators


def matches_of(regex: Regex, text: str, tick: Tick) -> tuple[list[str], list[str]]:
    """Return the matches in a text and the pieces around them, for FPAT and patsplit.

    A pattern that may be empty matches once more after the last separator: `a,` has two fields.
    """
    if not text:
        return [], [""]
    matches: list[str] = []
    around: list[str] = []
    position = 0
    for match in matches_in(regex, text, tick):
        around.append(text[position : match.start])
        matches.append(text[match.start : match.end])
        position = match.end
    around.append(text[position:])
    return matches, around


def width_splitter(widths: str, tick: Tick) -> Splitter:
    """Return the function that splits by FIELDWIDTHS, such as `5 3 2:4 *` (skip 2, take 4)."""
    steps: list[tuple[int, int]] = []
    for word in with_ticks(NON_BLANK_PATTERN.finditer(widths), tick):
        match = FIELD_WIDTH_PATTERN.match(word[0])
        begin = word.start() + len(SKIP_PATTERN.match(word[0])[0])  # type: ignore[index]
        if widths[begin] == "*" and widths[begin:].strip(BLANK_CHARACTERS) != "*":
            raise AwkFatal("`*' must be the last designator in FIELDWIDTHS")
        if match is None:
            rest = widths[begin:]
            raise AwkFatal(f"invalid FIELDWIDTHS value, for field {len(steps) + 1}, near `{rest}'")
        taken = -1 if match[2] == "*" else bounded_number(match[2])
        steps.append((bounded_number(match[1] or ""), taken))

    def split(text: str) -> list[str]:
        fields: list[str] = []
        position = 0
        for skipped, width in with_ticks(steps, tick):
            if position >= len(text):
                break
            position += skipped
            end = len(text) if width < 0 else position + width
            fields.append(text[position:end])
            position = end
        return fields

    return split


class AwkRecord:
    """A record that a program may change: its text and its fields, each derived from the other.

    `line` is None after a field has changed, until the text is needed; `fields` is None until
    they are needed. `is_mixed` says that some fields may not be strings, `is_large` that the
    record may be larger than what it was split from. `join` and `check_size` know the limits.
    `split` is for records of any length where some may be long, until the next chunk of the input.
    """

    __slots__ = (
        "_check_size", "_join", "_split_large", "fields", "is_large", "is_mixed", "line",
        "separator", "split",
        "text",
    )  # fmt: skip

    def __init__(
        self,
        split: Splitter,
        split_large: Splitter,
        text: Callable[[Value], str],
        join: Callable[..., str],
        check_size: Callable[[int], None],
    ) -> None:
        self.line: str | None = ""
        self.fields: list[Value] | None = None
        self.split, self._split_large, self.text = split, split_large, text
        self._join, self._check_size = join, check_size
        self.separator = " "
        self.is_mixed = self.is_large = False

    def load(self, line: str) -> None:
        """Set the record to a text that may be of any length."""
        self.line, self.fields = line, None
        if len(line) > MAX_SLICE_CHARACTERS:
            self.split = self._split_large

    def assign_whole(self, text: str) -> str:
        """Assign a string to $0, which then never counts as a number; return the string."""
        self.load(AssignedString(text) if text[:1] in NUMBER_STARTS else text)
        return text

    def whole(self) -> str:
        """Return $0. If it is rebuilt from fields, it never counts as a number."""
        if self.line is None:
            fields = self.fields or ()
            if self.is_mixed:
                text = self.text
                fields = [field if field.__class__ is str else text(field) for field in fields]
            if self.is_large or len(self.separator) > 1:
                self._check_size(len(self.separator) * len(fields))
                joined = self._join(*fields, between=self.separator)
            else:
                joined = self.separator.join(fields)
            self.line = AssignedString(joined) if joined[:1] in NUMBER_STARTS else joined
        return self.line

    def all(self) -> list[Value]:
        """Return all fields."""
        if self.fields is None:
            self.fields = self.split(self.whole())
        return self.fields

    def get(self, index: float) -> Value:
        """Return a field, or $0. Fields after the last are empty."""
        if 1 <= index < BEYOND_FIELDS:
            return self.at(int(index))
        return self.whole() if -1 < index < 1 else refuse_field(index)

    def at(self, number: int) -> Value:
        """Return a field whose number is at least 1."""
        fields = self.fields
        if fields is None:
            fields = self.fields = self.split(self.line or "")
        return fields[number - 1] if number <= len(fields) else ""

    def put(self, value: Value, index: float) -> Value:
        """Assign to a field or to $0, and return the value."""
        if 1 <= index < BEYOND_FIELDS:
            return self.put_at(value, int(index))
        if not -1 < index < 1:
            refuse_field(index)
        is_text = value.__class__ not in (float, NumericString, Unset)
        (self.assign_whole if is_text else self.load)(self.text(value))
        return value

    def put_at(self, value: Value, number: int) -> Value:
        """Assign to a field and return the value."""
        fields = self.fields
        if fields is None:
            fields = self.fields = self.split(self.line or "")
        if number > len(fields):
            self.extend(number)
        if value.__class__ is str:
            if len(value) > SMALL_FIELD_CHARACTERS:
                self.is_large = True
            fields[number - 1] = AssignedString(value) if value[:1] in NUMBER_STARTS else value
        else:
            if isinstance(value, str) and len(value) > SMALL_FIELD_CHARACTERS:
                self.is_large = True
            self.is_mixed = True
            fields[number - 1] = value
        self.line = None
        return value

    def extend(self, count: int) -> None:
        """Add empty fields up to this count."""
        fields = self.all()
        if count > len(fields):
            if count >= BEYOND_FIELDS:
                refuse_field(count)
            self._check_size(count * FIELD_BYTES)
            self.is_large = True
            fields.extend([""] * (count - len(fields)))

    def resize(self, count: float) -> None:
        """Assign to NF."""
        if not 0 <= count < BEYOND_FIELDS:
            raise AwkFatal("NF set to negative value")
        number = int(count)
        self.extend(number)
        del self.all()[number:]
        self.line = None


def refuse_field(index: float) -> str:
    """Raise the error for a field number that is negative, or that C cannot convert."""
    number = int(index) if abs(index) < BEYOND_FIELDS else -int(BEYOND_FIELDS)
    raise AwkFatal(f"attempt to access field {number}")


def field_at(index: float, line: str, fields: list[str]) -> str:
    """Return the field for a number outside the range from 1 to the last field."""
    if 1 <= index < BEYOND_FIELDS:
        return fields[-1] if fields and index < len(fields) + 1 else ""
    return line if -1 < index < 1 else refuse_field(index)
