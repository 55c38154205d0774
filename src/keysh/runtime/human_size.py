"""Sizes for people: `4.0K`, and in blocks of a size that is asked for. All are rounded up."""

from __future__ import annotations

from keysh.schema.types import INT, SIZES, Unfit

LETTERS = "KMGTPEZY"
STARS = {"human-readable": 1024, "si": 1000}


class Unit:
    """What sizes are counted in: blocks of a size, or of whatever size fits (`base` is set)."""

    __slots__ = ("base", "block", "suffix")

    def __init__(self, block: int = 1, suffix: str = "", base: int = 0) -> None:
        self.block, self.suffix, self.base = block, suffix, base

    def shown(self, size: int) -> str:
        """A size as text."""
        if self.base:
            return human(size, self.base)
        return f"{-(-size // self.block)}{self.suffix}"


def human(size: int, base: int = 1024) -> str:
    """A size with the letter of its unit, with one decimal where it is below ten."""
    if size < base:
        return str(size)
    unit, power = base, 0
    while size >= unit * base and power < len(LETTERS) - 1:
        unit *= base
        power += 1
    tenths, whole = -(-size * 10 // unit), -(-size // unit)
    if whole >= base and power < len(LETTERS) - 1:
        tenths, power = 10, power + 1
    letter = "k" if base == 1000 and not power else LETTERS[power]
    return f"{tenths // 10}.{tenths % 10}{letter}" if tenths < 100 else f"{whole}{letter}"


def unit_of(text: str) -> Unit | None:
    """The unit that a block size names: `1K`, `M`, `KB`, `human-readable`; None for none."""
    text = text.lstrip("'")
    if text in STARS:
        return Unit(base=STARS[text])
    number = text.rstrip("BEGKMPTYZbcikmw")
    suffix = text[len(number) :]
    if suffix not in SIZES:
        return None
    try:
        count = int(INT.parse(number)) if number else 1
    except Unfit:
        return None
    block = count * SIZES[suffix]
    if block <= 0:
        return None
    # A letter alone is shown behind each size.
    return Unit(block, "" if number else suffix.removesuffix("iB"))
