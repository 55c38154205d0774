"""Human-readable sizes such as `4.0K`, and sizes in blocks. All are rounded up."""

from __future__ import annotations

import re

from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

UNIT_LETTERS = "KMGTPEZY"
MAX_BLOCK_BYTES = (1 << 64) - 1
BLOCK_SIZE_PATTERN = re.compile(
    r"\s*\+?(?P<number>0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]{0,999})?"
    r"(?:(?P<letter>[KMGTPEZYkmgtpezy])(?P<tail>i?B)?)?"
)
SCALED_UNITS = {"human-readable": 1024, "si": 1000}


class BadSizeUnit(ValueError):
    """An invalid block size. The message is GNU's."""


class SizeUnit:
    """The unit of sizes: a fixed block, or if `base` is set, whatever fits."""

    __slots__ = ("base", "block", "suffix")

    def __init__(self, block: int = 1, suffix: str = "", base: int = 0) -> None:
        self.block, self.suffix, self.base = block, suffix, base

    def format_size(self, size: int) -> str:
        """Format a size."""
        if self.base:
            return human_size(size, self.base)
        return f"{-(-size // self.block)}{self.suffix}"


def human_size(size: int, base: int = 1024) -> str:
    """Format a size with the letter of its unit, with one decimal below ten."""
    if size < base:
        return str(size)
    unit, power = base, 0
    while size >= unit * base and power < len(UNIT_LETTERS) - 1:
        unit *= base
        power += 1
    tenths, whole = -(-size * 10 // unit), -(-size // unit)
    if whole >= base and power < len(UNIT_LETTERS) - 1:
        tenths, power = 10, power + 1
    letter = "k" if base == 1000 and not power else UNIT_LETTERS[power]
    return f"{tenths // 10}.{tenths % 10}{letter}" if tenths < 100 else f"{whole}{letter}"


def unit_of(text: str) -> SizeUnit:
    """Return the unit for a block size: `1K`, `M`, `KB` or `human-readable`. Raises BadSizeUnit."""
    bare = text.removeprefix("'")  # it groups digits, but not in the C locale
    bases = [base for word, base in SCALED_UNITS.items() if bare and word.startswith(bare)]
    if len(bases) == 1:
        return SizeUnit(base=bases[0])
    parts = BLOCK_SIZE_PATTERN.match(bare)
    if parts is None or not parts[0].strip():
        raise BadSizeUnit(f"invalid --block-size argument {quoted_name(text)}")
    number, letter, tail = parts["number"], (parts["letter"] or "").upper(), parts["tail"] or ""
    if parts.end() < len(bare):
        raise BadSizeUnit(f"invalid suffix in --block-size argument {quoted_name(text)}")
    base = 1000 if tail == "B" else 1024
    block = c_number(number) * base ** (UNIT_LETTERS.index(letter) + 1 if letter else 0)
    if not block:
        raise BadSizeUnit(f"invalid --block-size argument {quoted_name(text)}")
    if block > MAX_BLOCK_BYTES:
        raise BadSizeUnit(f"--block-size argument {quoted_name(text)} too large")
    # A unit without a number is printed after each size.
    letter = "k" if (letter, tail) == ("K", "B") else letter
    return SizeUnit(block, "" if number else f"{letter}{tail}")


def c_number(number: str) -> int:
    """Read a number as C does; without digits it is 1."""
    if not number:
        return 1
    return int(number, 16 if number[:2] in ("0x", "0X") else 8 if number[:1] == "0" else 10)


def block_name(block: int, suffix: str) -> str:
    """Return the name of a block size: `1K`, `1.5kB`, in the base that divides it better."""
    by_1000 = by_1024 = block
    while not (by_1000 % 1000 or by_1024 % 1024):
        by_1000, by_1024 = by_1000 // 1000, by_1024 // 1024
    if (by_1000 % 1000 == 0) != (by_1024 % 1024 == 0):
        is_binary = by_1024 % 1024 == 0
    else:
        is_binary = bool(suffix) and (suffix[-1] != "B" or suffix[-2:] == "iB")
    name = human_size(block, 1024 if is_binary else 1000).replace(".0", "")
    if not is_binary:
        return f"{name}B"
    return f"{name}iB" if suffix.endswith("B") and block >= 1024 else name


def unit_of_environment(env: Mapping[str, str], name: str) -> SizeUnit | None:
    """Return the unit that a variable sets, or else BLOCK_SIZE; None if neither is set."""
    named = env.get(name) or env.get("BLOCK_SIZE")
    if not named:
        return None
    try:
        return unit_of(named)
    except BadSizeUnit:
        return SizeUnit(1024)
