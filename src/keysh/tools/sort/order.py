"""Convert the texts of a key to values to compare, for each order: -n, -h, -g, -M, -V and so on."""

from __future__ import annotations

import re

from keysh.gnu.version_order import version_key
from keysh.text.shell_numbers import hexadecimal_float
from keysh.tools.sort.pieces import map_pieces, slices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.tools.sort.key import SortKey

INTEGER_BYTES = b"-0123456789 \t\n"
LEADING_NUMBER = re.compile(r"[ \t\n]*(-?[0-9]*(?:\.[0-9]*)?)")
LEADING_NUMBER_OF_LINE = re.compile(r"^[ \t]*(-?[0-9]*(?:\.[0-9]*)?).*", re.MULTILINE)
# What C's strtold parses: hexadecimal, decimal, infinity or nan.
GENERAL_NUMBER = re.compile(
    r"\s*([-+]?(?:0x[0-9a-f]+(?:\.[0-9a-f]*)?(?:p[-+]?[0-9]+)?|0x\.[0-9a-f]+(?:p[-+]?[0-9]+)?"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf(?:inity)?|nan))",
    re.ASCII | re.IGNORECASE,
)
HUMAN_NUMBER = re.compile(r"[ \t\n]*(-?[0-9]*(?:\.[0-9]*)?)([KkMGTPEZY]?)")
UNIT_POWERS = {unit: power for power, unit in enumerate("KMGTPEZY", 1)} | {"k": 1, "": 0}
MONTHS = {name: number for number, name in enumerate(
    ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"), 1
)}  # fmt: skip
NON_DICTIONARY = re.compile(r"[^ \t\nA-Za-z0-9]+")
NON_PRINTING = re.compile(r"[^ -~]+")
UPPERCASE_TABLE = {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}
MAX_EXACT_DIGITS = 15  # a float represents this many exactly


def comparison_values(
    key: SortKey, texts: Sequence[str], salt: bytes, tick: Callable[[], object]
) -> Sequence[Any]:
    """Return the values to compare for a key's texts."""
    order = key.order
    ignored = NON_DICTIONARY if "d" in order else NON_PRINTING if "i" in order else None
    if ignored is not None:
        texts = map_pieces(lambda piece: [ignored.sub("", text) for text in piece], texts, tick)
    if "f" in order:
        texts = map_pieces(uppercase_texts, texts, tick)
    if "n" in order:
        return decimal_values(texts, tick)
    if "h" in order:
        return human_values(texts, tick)
    if "g" in order:
        return map_pieces(lambda piece: map(general_value, piece), texts, tick)
    if "M" in order:
        return map_pieces(lambda piece: map(month_number, piece), texts, tick)
    if "R" in order:
        return map_pieces(lambda piece: random_values(piece, salt), texts, tick)
    if "V" in order:
        return map_pieces(lambda piece: map(version_key, piece), texts, tick)
    return texts


def uppercase_texts(texts: Sequence[str]) -> list[str]:
    """Convert ASCII letters to upper case."""
    return [text.upper() if text.isascii() else text.translate(UPPERCASE_TABLE) for text in texts]


def month_number(text: str) -> int:
    """Return the number of the month at the start of a string, or 0."""
    return MONTHS.get(text.lstrip(" \t\n")[:3].translate(UPPERCASE_TABLE), 0)


def decimal_values(texts: Sequence[str], tick: Callable[[], object]) -> Sequence[Any]:
    """Return the decimal numbers that texts begin with."""
    if all(map(are_integers, slices(texts, tick))):
        try:
            return map_pieces(lambda some: map(int, some), texts, tick)
        except ValueError:  # several numbers in one text, or none
            pass
    return number_values(map_pieces(leading_numbers, texts, tick), tick)


def are_integers(texts: Sequence[str]) -> bool:
    """Whether texts contain only what `int` parses as sort does: no `+`, `_` or other blanks."""
    return not "".join(texts).encode("latin-1").translate(None, INTEGER_BYTES)


def leading_numbers(texts: Sequence[str]) -> list[str]:
    """Return the decimal number that each text begins with, possibly ""."""
    joined = "\n".join(texts)
    if joined.count("\n") == len(texts) - 1:  # false only if lines end with NUL
        matches: list[str] = LEADING_NUMBER_OF_LINE.findall(joined)
        return matches
    return [LEADING_NUMBER.match(text)[1] for text in texts]  # type: ignore[index]


def number_values(texts: Sequence[str], tick: Callable[[], object]) -> Sequence[Any]:
    """Convert decimal numbers to the cheapest type that distinguishes all of them."""
    try:
        return map_pieces(lambda piece: [int(text) if text else 0 for text in piece], texts, tick)
    except ValueError:
        pass
    # "-", "5." and nothing lack a digit.
    whole = map_pieces(
        lambda piece: [text if text[-1:].isdigit() else f"{text}0" for text in piece], texts, tick
    )
    if all(max(map(len, piece)) <= MAX_EXACT_DIGITS for piece in slices(whole, tick)):
        return map_pieces(lambda piece: map(float, piece), whole, tick)
    from decimal import Decimal  # noqa: PLC0415 - only for numbers of many digits

    return map_pieces(lambda piece: map(Decimal, piece), whole, tick)


def human_values(texts: Sequence[str], tick: Callable[[], object]) -> list[tuple[int, Any]]:
    """Convert numbers with units: the unit is compared first, then the number."""
    parts = map_pieces(
        lambda piece: [HUMAN_NUMBER.match(text).groups() for text in piece],  # type: ignore[union-attr]
        texts, tick,
    )  # fmt: skip
    values = number_values(map_pieces(lambda piece: [part[0] for part in piece], parts, tick), tick)
    return map_pieces(
        lambda piece: [unit_value(values[i], parts[i][1]) for i in piece], range(len(parts)), tick
    )


def unit_value(value: Any, unit: str) -> tuple[int, Any]:
    """Return the sort key of a number with a unit."""
    power = UNIT_POWERS[unit] if value else 0
    return (-power if value < 0 else power), value


def general_value(text: str) -> tuple[int, float]:
    """Convert what C parses as a number; texts that are no number come first, then nan."""
    match = GENERAL_NUMBER.match(text)
    if match is None:
        return 0, 0.0
    digits = match[1]
    if "x" in digits or "X" in digits:
        return 2, hexadecimal_float(digits)
    value = float(digits)
    return (2, value) if value == value else (1, 0.0)


def random_values(texts: Sequence[str], salt: bytes) -> list[bytes]:
    """Hash texts with the salt, as GNU sort does: equal texts have equal values.

    It hashes the NUL behind a text, too, but nothing at all of an empty one.
    """
    from hashlib import md5  # noqa: PLC0415 - only -R wants it

    datas = [text.encode("latin-1") + b"\0" if text else b"" for text in texts]
    return [md5(salt + data, usedforsecurity=False).digest() for data in datas]
