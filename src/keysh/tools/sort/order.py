"""Order: what stands for a key's text in comparisons, in a column one value for each line."""

from __future__ import annotations

import re

from keysh.gnu.version_order import version_key
from keysh.tools.sort.pieces import map_pieces, slices

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.tools.sort.key import SortKey

INTEGER_BYTES = b"-0123456789 \t\n"
LEADING_NUMBER = re.compile(r"[ \t\n]*(-?[0-9]*(?:\.[0-9]*)?)")
LEADING_NUMBER_OF_LINE = re.compile(r"^[ \t]*(-?[0-9]*(?:\.[0-9]*)?).*", re.MULTILINE)
# With a decimal point or without, infinite, not a number, or hexadecimal: what C's strtold reads.
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
MAX_EXACT_DIGITS = 15  # so many a float holds exactly


def comparison_values(
    key: SortKey, texts: Sequence[str], salt: bytes, tick: Callable[[], object]
) -> Sequence[Any]:
    """The values to compare for a key's texts."""
    order = key.order
    ignored = NON_DICTIONARY if "d" in order else NON_PRINTING if "i" in order else None
    if ignored is not None:
        texts = map_pieces(lambda some: [ignored.sub("", text) for text in some], texts, tick)
    if "f" in order:
        texts = map_pieces(uppercase_texts, texts, tick)
    if "n" in order:
        return decimal_values(texts, tick)
    if "h" in order:
        return human_values(texts, tick)
    if "g" in order:
        return map_pieces(lambda some: map(general_value, some), texts, tick)
    if "M" in order:
        return map_pieces(lambda some: map(month_number, some), texts, tick)
    if "R" in order:
        return map_pieces(lambda some: random_values(some, salt), texts, tick)
    if "V" in order:
        return map_pieces(lambda some: map(version_key, some), texts, tick)
    return texts


def uppercase_texts(texts: Sequence[str]) -> list[str]:
    """Texts without their small letters."""
    return [text.upper() if text.isascii() else text.translate(UPPERCASE_TABLE) for text in texts]


def month_number(text: str) -> int:
    """The number of the month that a text begins with, 0 where it does not."""
    return MONTHS.get(text.lstrip(" \t\n")[:3].translate(UPPERCASE_TABLE), 0)


def decimal_values(texts: Sequence[str], tick: Callable[[], object]) -> Sequence[Any]:
    """The numbers that texts begin with."""
    if all(map(are_integers, slices(texts, tick))):
        try:
            return map_pieces(lambda some: map(int, some), texts, tick)
        except ValueError:  # several in one text, or none
            pass
    return number_values(map_pieces(leading_numbers, texts, tick), tick)


def are_integers(texts: Sequence[str]) -> bool:
    """Whether texts hold nothing but what `int` reads as sort does: no `+`, `_` or other blanks."""
    return not "".join(texts).encode("latin-1").translate(None, INTEGER_BYTES)


def leading_numbers(texts: Sequence[str]) -> list[str]:
    """The decimal number that each text begins with, if only the empty one."""
    joined = "\n".join(texts)
    if joined.count("\n") == len(texts) - 1:  # always, but where lines end with NUL
        found: list[str] = LEADING_NUMBER_OF_LINE.findall(joined)
        return found
    return [LEADING_NUMBER.match(text)[1] for text in texts]  # type: ignore[index]


def number_values(texts: Sequence[str], tick: Callable[[], object]) -> Sequence[Any]:
    """Decimal numbers, all of one type: the cheapest that tells them apart."""
    try:
        return map_pieces(lambda some: [int(text) if text else 0 for text in some], texts, tick)
    except ValueError:
        pass
    # "-", "5." and nothing lack a digit.
    whole = map_pieces(
        lambda some: [text if text[-1:].isdigit() else f"{text}0" for text in some], texts, tick
    )
    if all(max(map(len, some)) <= MAX_EXACT_DIGITS for some in slices(whole, tick)):
        return map_pieces(lambda some: map(float, some), whole, tick)
    from decimal import Decimal  # noqa: PLC0415 - only for numbers of many digits

    return map_pieces(lambda some: map(Decimal, some), whole, tick)


def human_values(texts: Sequence[str], tick: Callable[[], object]) -> list[tuple[int, Any]]:
    """Numbers with units: first the unit counts, and then the number."""
    parts = map_pieces(
        lambda some: [HUMAN_NUMBER.match(text).groups() for text in some],  # type: ignore[union-attr]
        texts, tick,
    )  # fmt: skip
    values = number_values(map_pieces(lambda some: [part[0] for part in some], parts, tick), tick)
    return map_pieces(
        lambda some: [unit_value(values[i], parts[i][1]) for i in some], range(len(parts)), tick
    )


def unit_value(value: Any, unit: str) -> tuple[int, Any]:
    """What to order a number by."""
    power = UNIT_POWERS[unit] if value else 0
    return (-power if value < 0 else power), value


def general_value(text: str) -> tuple[int, float]:
    """What C reads as a number; before all of them what is none, then what says so."""
    match = GENERAL_NUMBER.match(text)
    if match is None:
        return 0, 0.0
    digits = match[1]
    if "x" in digits or "X" in digits:
        return 2, float.fromhex(digits)
    value = float(digits)
    return (2, value) if value == value else (1, 0.0)


def random_values(texts: Sequence[str], salt: bytes) -> list[bytes]:
    """Values that look like chance, equal for texts that are equal; GNU's has the same."""
    from hashlib import md5  # noqa: PLC0415 - only -R wants it

    datas = [text.encode("latin-1") for text in texts]
    return [md5(salt + data + b"\0", usedforsecurity=False).digest() for data in datas]
