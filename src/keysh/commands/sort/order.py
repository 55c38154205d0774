"""Order: what stands for a key's text in comparisons, and sorting by several keys.

A column holds one value for each line. Lines are sorted once for each column, the least important
first, for the sort is stable; and in pieces, so that a run can be stopped between them.
"""

from __future__ import annotations

import re

from keysh.text.version_order import version_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.commands.sort.key import Key

INTEGERS = b"-0123456789 \t\n"
PIECE, MOST_PLAIN = 1 << 18, 1 << 21  # items, or plain texts and numbers, sorted without a pause
MERGED = 8  # pieces that are merged without a pause
# Lines of numbers as `int` would write them: where two are equal, so are their lines.
PLAIN = re.compile(r"(?:(?:0|-?[1-9][0-9]{0,17})\n)*")
NUMBER = re.compile(r"[ \t\n]*(-?[0-9]*(?:\.[0-9]*)?)")
LINE_NUMBER = re.compile(r"^[ \t]*(-?[0-9]*(?:\.[0-9]*)?).*", re.MULTILINE)
# With a decimal point or without, infinite, not a number, or hexadecimal: what C's strtold reads.
GENERAL = re.compile(
    r"\s*([-+]?(?:0x[0-9a-f]+(?:\.[0-9a-f]*)?(?:p[-+]?[0-9]+)?|0x\.[0-9a-f]+(?:p[-+]?[0-9]+)?"
    r"|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[-+]?[0-9]+)?|inf(?:inity)?|nan))",
    re.ASCII | re.IGNORECASE,
)
HUMAN = re.compile(r"[ \t\n]*(-?)([0-9]*(?:\.[0-9]*)?)([KkMGTPEZY]?)")
UNITS = {unit: power for power, unit in enumerate("KMGTPEZY", 1)} | {"k": 1, "": 0}
MONTHS = {name: number for number, name in enumerate(
    ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"), 1
)}  # fmt: skip
NO_WORD = re.compile(r"[^ \t\nA-Za-z0-9]+")
NOT_PRINTED = re.compile(r"[^ -~]+")
UPPER = {ord(letter): letter.upper() for letter in "abcdefghijklmnopqrstuvwxyz"}
EXACT_DIGITS = 15  # so many a float holds exactly


def column(key: Key, texts: Sequence[str], salt: bytes) -> Sequence[Any]:
    """The values to compare for a key's texts."""
    order = key.order
    ignored = NO_WORD if "d" in order else NOT_PRINTED if "i" in order else None
    if ignored is not None:
        texts = [ignored.sub("", text) for text in texts]
    if "f" in order:
        texts = [text.upper() if text.isascii() else text.translate(UPPER) for text in texts]
    if "n" in order:
        if are_integers(texts):
            try:
                return list(map(int, texts))
            except ValueError:  # several in one text, or none
                pass
        return numbers(leading_numbers(texts))
    if "h" in order:
        return humans(texts)
    if "g" in order:
        return [general(text) for text in texts]
    if "M" in order:
        return [MONTHS.get(text.lstrip(" \t\n")[:3].translate(UPPER), 0) for text in texts]
    if "R" in order:
        return shuffled(texts, salt)
    if "V" in order:
        return [version_key(text) for text in texts]
    return texts


def are_integers(texts: Sequence[str]) -> bool:
    """Whether they hold nothing but what `int` reads as sort does: no `+`, `_` or other blanks."""
    return not "".join(texts).encode("latin-1").translate(None, INTEGERS)


def leading_numbers(texts: Sequence[str]) -> list[str]:
    """The decimal number that each text begins with, if only the empty one."""
    joined = "\n".join(texts)
    if joined.count("\n") == len(texts) - 1:  # always, but where lines end with NUL
        found: list[str] = LINE_NUMBER.findall(joined)
        return found
    return [NUMBER.match(text)[1] for text in texts]  # type: ignore[index]


def numbers(texts: Sequence[str]) -> Sequence[Any]:
    """Decimal numbers, all of one type: the cheapest that tells them apart."""
    try:
        return [int(text) if text else 0 for text in texts]
    except ValueError:
        pass
    whole = [text if text[-1:].isdigit() else f"{text}0" for text in texts]  # "-", "5.", nothing
    if max(map(len, whole)) <= EXACT_DIGITS:
        return [float(text) for text in whole]
    from decimal import Decimal  # noqa: PLC0415 - only for numbers of many digits

    return [Decimal(text) for text in whole]


def humans(texts: Sequence[str]) -> list[tuple[int, Any]]:
    """Numbers with units: first the unit counts, and then the number."""
    found = [HUMAN.match(text) for text in texts]
    values = numbers([match[1] + match[2] if match else "" for match in found])
    made = []
    for match, value in zip(found, values, strict=True):
        power = UNITS[match[3]] if match and value else 0
        made.append((-power if value < 0 else power, value))
    return made


def general(text: str) -> tuple[int, float]:
    """What C reads as a number; before all of them what is none, then what says so."""
    match = GENERAL.match(text)
    if match is None:
        return 0, 0.0
    digits = match[1]
    if "x" in digits or "X" in digits:
        return 2, float.fromhex(digits)
    value = float(digits)
    return (2, value) if value == value else (1, 0.0)


def shuffled(texts: Sequence[str], salt: bytes) -> list[bytes]:
    """Values that look like chance, equal for texts that are equal; GNU's has the same."""
    from hashlib import md5  # noqa: PLC0415 - only -R wants it

    datas = [text.encode("latin-1") for text in texts]
    return [md5(salt + data + b"\0", usedforsecurity=False).digest() for data in datas]


def are_plain(lines: Sequence[str]) -> bool:
    """Whether all lines are numbers without blanks, needless zeros and fractions."""
    return all(
        PLAIN.fullmatch("\n".join([*lines[at : at + PIECE], ""]))
        for at in range(0, len(lines), PIECE)
    )


def sort(
    items: list[Any],
    value: Callable[[Any], Any] | None,
    is_reversed: bool,
    tick: Callable[[], None],
) -> list[Any]:
    """Items by their values: piece by piece, and then several of these pieces together."""
    size = MOST_PLAIN if value in (None, int) else PIECE
    while True:
        for at in range(0, len(items), size):
            tick()
            # Pieces that are in order themselves are merged in one go.
            items[at : at + size] = sorted(items[at : at + size], key=value, reverse=is_reversed)
        if size >= len(items):
            return items
        size *= MERGED
