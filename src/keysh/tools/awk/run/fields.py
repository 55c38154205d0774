"""Fields: how a record is split, and the record that a program may change."""

from __future__ import annotations

import re

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
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from keysh.text.regex.regex import Regex
    from keysh.tools.awk.run.values import Value

    Splitter: TypeAlias = Callable[[str], list[Any]]
    RegexOf: TypeAlias = Callable[[str], Regex]

MAX_FIELDS = 10_000_000
# Blanks to Python, but not to awk.
ODD_BLANKS = "".join(
    [
        "\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680", *map(chr, range(0x2000, 0x200B)),
        "\u2028\u2029\u202f\u205f\u3000",
    ]
)  # fmt: skip
NON_BLANK_PATTERN = re.compile(r"[^ \t\n]+")
# What is skipped before a field and a colon, and the field's width; what of it can be read.
FIELD_WIDTH_PATTERN = re.compile(r"(?:([0-9]+):)?(0*[1-9][0-9]*|\*)$")
SKIP_PATTERN = re.compile(r"(?:[0-9]+:)?")


def split_words(text: str) -> list[str]:
    """What stands between spaces, tabs and newlines."""
    if text.isascii() and text.isprintable():
        return text.split()
    return NON_BLANK_PATTERN.findall(text) if has_odd_blanks(text) else text.split()


def word_splitter(chunk: str) -> Splitter:
    """The fastest function that splits each record of a chunk into words."""
    return split_words if has_odd_blanks(chunk) else str.split


def has_odd_blanks(text: str) -> bool:
    """Whether a text has any; a look for each is quicker than one for all."""
    return any([blank in text for blank in ODD_BLANKS])  # noqa: C419 - a list is quicker, too


def field_splitter(separator: str, regex_of: RegexOf, *, by_paragraph: bool = False) -> Splitter:
    """How FS splits: by words, by a character, or by a regular expression.

    In paragraphs a newline separates too, beside a character of ASCII. The case of a character
    counts, whatever IGNORECASE says.
    """
    if separator == " ":
        return split_words
    if not separator:
        return list
    if len(separator) > 1:
        return regex_splitter(regex_of(separator))
    if by_paragraph and separator.isascii():
        return lambda text: text.replace("\n", separator).split(separator) if text else []
    return lambda text: text.split(separator) if text else []


def regex_splitter(regex: Regex) -> Splitter:
    """Splitting by a regular expression; what is empty separates nothing."""
    literal = regex.literal
    if literal:
        return lambda text: text.split(literal) if text else []
    return lambda text: split_by_regex(regex, text)[0]


def split_by_regex(regex: Regex, text: str) -> tuple[list[str], list[str]]:
    """The pieces between matches, and the matches."""
    if not text:
        return [], []
    pieces: list[str] = []
    separators: list[str] = []
    at = 0
    for found in regex.find_all(text):
        if found.end > found.start:
            pieces.append(text[at : found.start])
            separators.append(text[found.start : found.end])
            at = found.end
    pieces.append(text[at:])
    return pieces, separators


def matches_of(regex: Regex, text: str) -> tuple[list[str], list[str]]:
    """What matches in a text, and the pieces around: FPAT, and patsplit.

    Behind a last separator a pattern that may be empty matches once more: `a,` has two fields.
    """
    if not text:
        return [], [""]
    found_texts: list[str] = []
    around: list[str] = []
    at = 0
    for found in regex.find_all(text):
        around.append(text[at : found.start])
        found_texts.append(text[found.start : found.end])
        at = found.end
    around.append(text[at:])
    return found_texts, around


def width_splitter(widths: str) -> Splitter:
    """FIELDWIDTHS: `5 3 2:4 *`, each a width, with what is skipped before a colon."""
    steps: list[tuple[int, int]] = []
    for word in NON_BLANK_PATTERN.finditer(widths):
        found = FIELD_WIDTH_PATTERN.match(word[0])
        rest = SKIP_PATTERN.sub("", widths[word.start() :], count=1)
        if rest[0:1] == "*" and rest.strip(BLANK_CHARACTERS) != "*":
            raise AwkFatal("`*' must be the last designator in FIELDWIDTHS")
        if found is None:
            raise AwkFatal(f"invalid FIELDWIDTHS value, for field {len(steps) + 1}, near `{rest}'")
        steps.append((int(found[1] or 0), -1 if found[2] == "*" else int(found[2])))

    def split(text: str) -> list[str]:
        made: list[str] = []
        at = 0
        for skipped, width in steps:
            if at >= len(text):
                break
            at += skipped
            end = len(text) if width < 0 else at + width
            made.append(text[at:end])
            at = end
        return made

    return split


class AwkRecord:
    """A record that a program may change: its text and its fields, each made from the other.

    `line` is None while fields have changed and the text is not made anew; `fields` is None until
    they are asked for. `is_mixed` says that a field may be more than a text.
    """

    __slots__ = ("fields", "is_mixed", "line", "separator", "split", "text")

    def __init__(self, split: Splitter, text: Callable[[Value], str]) -> None:
        self.line: str | None = ""
        self.fields: list[Value] | None = None
        self.split, self.text = split, text
        self.separator = " "
        self.is_mixed = False

    def load(self, line: str) -> None:
        """A new record."""
        self.line, self.fields = line, None

    def assign_whole(self, text: str) -> str:
        """A text of the program's own for $0, which never counts as a number; the text."""
        self.load(AssignedString(text) if text[:1] in NUMBER_STARTS else text)
        return text

    def whole(self) -> str:
        """$0; made of fields it is a text, even where it looks like a number."""
        if self.line is None:
            fields = self.fields or ()
            if self.is_mixed:
                text = self.text
                fields = [field if field.__class__ is str else text(field) for field in fields]
            made = self.separator.join(fields)
            self.line = AssignedString(made) if made[:1] in NUMBER_STARTS else made
        return self.line

    def all(self) -> list[Value]:
        """The fields."""
        if self.fields is None:
            self.fields = self.split(self.whole())
        return self.fields

    def get(self, index: float) -> Value:
        """A field; behind the last there is none."""
        if not index >= 1:
            return refuse_field(index) if index <= -1 else self.whole()
        return self.at(int(index)) if index < MAX_FIELDS else ""

    def at(self, place: int) -> Value:
        """A field whose number is at least 1."""
        fields = self.fields
        if fields is None:
            fields = self.fields = self.split(self.line or "")
        return fields[place - 1] if place <= len(fields) else ""

    def put(self, value: Value, index: float) -> Value:
        """Assign to a field, or to $0; the value."""
        place = int(index) if index == index else 0
        if place > 0:
            return self.put_at(value, place)
        if place:
            refuse_field(index)
        is_text = value.__class__ not in (float, NumericString, Unset)
        (self.assign_whole if is_text else self.load)(self.text(value))
        return value

    def put_at(self, value: Value, place: int) -> Value:
        """Assign to a field; the value."""
        fields = self.fields
        if fields is None:
            fields = self.fields = self.split(self.line or "")
        if place > len(fields):
            self.extend(place)
        if value.__class__ is not str:
            self.is_mixed = True
            fields[place - 1] = value
        else:
            fields[place - 1] = AssignedString(value) if value[:1] in NUMBER_STARTS else value
        self.line = None
        return value

    def extend(self, count: int) -> None:
        """At least so many fields."""
        fields = self.all()
        if count > MAX_FIELDS:
            raise AwkFatal(f"more than {MAX_FIELDS} fields in a record")
        if count > len(fields):
            fields.extend([""] * (count - len(fields)))

    def resize(self, count: float) -> None:
        """Assign to NF."""
        if count < 0:
            raise AwkFatal("NF set to negative value")
        number = int(count) if count == count else 0
        self.extend(number)
        del self.all()[number:]
        self.line = None


def refuse_field(index: float) -> str:
    """A field before $0."""
    raise AwkFatal(f"attempt to access field {int(index)}")


def field_at(index: float, line: str, fields: list[str]) -> str:
    """A field by a number that is not between 1 and the last one's."""
    if index >= 1:
        return fields[-1] if fields and index < len(fields) + 1 else ""
    return refuse_field(index) if index <= -1 else line
