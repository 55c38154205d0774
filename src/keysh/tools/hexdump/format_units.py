"""Formats of hexdump, such as `16/1 "%02x " "\\n"`, parsed into units and conversions.

A format is a list of units `REPETITIONS/BYTES "TEXT"`; its text is cut after each conversion:

    8/2 "%04x "   ->   8 times   [Conversion %04x of 2 bytes] [Conversion " " of 0 bytes]
"""

from __future__ import annotations

import re

from keysh.text.shell_numbers import bounded_number

UNIT = re.compile(
    r'\s*(?:(?P<count>\d+)(?=[\s/]))?\s*(?:/\s*(?P<bytes>\d+)(?=\s))?\s*"(?P<text>[^"]*)"'
)
CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?(?P<letter>_[aA]?.?|.|$)",
    re.DOTALL,
)
ESCAPE = re.compile(r"\\(.)", re.DOTALL)
ESCAPED = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
INTEGER_LETTERS, FLOAT_LETTERS = "diouxX", "eEfgG"
ADDRESS_LETTERS = {"_ad": "d", "_ao": "o", "_ax": "x", "_Ad": "d", "_Ao": "o", "_Ax": "x"}
CHARACTER_LETTERS = ("c", "_c", "_p", "_u")
INTEGER_SIZES, FLOAT_SIZES = (4, 1, 2, 8), (8, 4)  # the first is the default


class FormatError(Exception):
    """A format is invalid; the message is hexdump's."""


class Conversion:
    """A part of a unit's text that ends in a conversion, or plain text at its end.

    kind   the conversion's letters, such as "x" or "_p"; "" for text alone
    spec   flags, width and precision
    size   how many bytes it prints
    """

    __slots__ = ("flags", "kind", "precision", "size", "text", "width")

    def __init__(self, text: str, kind: str = "", size: int = 0) -> None:
        self.text, self.kind, self.size = text.encode("utf-8", "surrogateescape"), kind, size
        self.flags = ""
        self.width = 0
        self.precision: int | None = None

    @property
    def is_address(self) -> bool:
        return self.kind in ADDRESS_LETTERS


class FormatUnit:
    """Conversions, and how often they are repeated."""

    __slots__ = ("conversions", "has_count", "repetitions", "size")

    def __init__(self, repetitions: int, conversions: list[Conversion], has_count: bool) -> None:
        self.repetitions, self.conversions = repetitions, conversions
        self.has_count = has_count
        self.size = sum(each.size for each in conversions)

    @property
    def is_final(self) -> bool:
        """Whether it is printed once, at the end: it has `%_A`."""
        return any(each.kind.startswith("_A") for each in self.conversions)


def parse_format(text: str) -> list[FormatUnit]:
    """Parse a format."""
    units = []
    position, end = 0, len(text.rstrip())
    while position < end:
        found = UNIT.match(text, position)
        if found is None:
            raise FormatError(f"bad format {{{text}}}")
        position = found.end()
        size = bounded_number(found["bytes"] or "")
        conversions = [*parse_conversions(unescape(found["text"]), size)]
        count = bounded_number(found["count"] or "1")
        units.append(FormatUnit(count, conversions, bool(found["count"])))
    return units


def unescape(text: str) -> str:
    """Replace the escapes in a unit's text."""
    return ESCAPE.sub(lambda found: ESCAPED.get(found[1], found[1]), text)


def parse_conversions(text: str, unit_size: int) -> list[Conversion]:
    """Cut a unit's text after each conversion."""
    conversions: list[Conversion] = []
    begin = 0
    while (found := CONVERSION.search(text, begin)) is not None:
        letter = found["letter"]
        precision = bounded_number(found["precision"]) if found["precision"] is not None else None
        if letter in ADDRESS_LETTERS:
            size = 0
        else:
            size = conversion_size(letter, unit_size, precision)
            if unit_size and any(each.size for each in conversions):
                raise FormatError("byte count with multiple conversion characters")
        conversion = Conversion(text[begin : found.start()], letter, size)
        conversion.flags, conversion.width = found["flags"], bounded_number(found["width"] or "")
        conversion.precision = precision
        conversions.append(conversion)
        begin = found.end()
    if begin < len(text):
        conversions.append(Conversion(text[begin:]))
    return conversions


def conversion_size(letter: str, unit_size: int, precision: int | None) -> int:
    """Return how many bytes a conversion prints."""
    if letter == "s":
        if not unit_size and not precision:
            raise FormatError("%s requires a precision or a byte count")
        return unit_size or precision or 0
    if letter in CHARACTER_LETTERS:
        sizes: tuple[int, ...] = (1,)
    elif letter and letter in INTEGER_LETTERS:
        sizes = INTEGER_SIZES
    elif letter and letter in FLOAT_LETTERS:
        sizes = FLOAT_SIZES
    else:
        raise FormatError(f"bad conversion character %{letter}")
    if not unit_size:
        return sizes[0]
    if unit_size not in sizes:
        raise FormatError(f"bad byte count for conversion character {letter}")
    return unit_size
