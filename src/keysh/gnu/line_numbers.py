"""Numerals: the numbers in front of lines.

    "\\n   123"  "456\\t"  "the line"      what is woven: thousands, the rest, the line

A thousand lines share the first column, and the second one is the same for all thousands.
"""

from __future__ import annotations

from keysh.text.chunks import woven

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

THOUSAND = 1000


class Numerals:
    """How numbers look: their format, such as `>6`, and what stands behind them."""

    __slots__ = ("_behind", "_shape", "_tails")

    def __init__(self, shape: str, behind: str) -> None:
        self._shape, self._behind = shape, behind
        self._tails: dict[str, list[str]] = {}  # by the blanks behind the digits

    def before(self, lines: Sequence[str], first: int) -> str:
        """Lines, each behind its number; only between them are newlines."""
        if first + len(lines) <= THOUSAND:
            shape, behind = self._shape, self._behind
            numbered = enumerate(lines, first)
            return "\n".join([f"{number:{shape}}{behind}{line}" for number, line in numbered])
        heads: list[str] = []
        tails: list[str] = []
        for head, some in self._columns(first, first + len(lines)):
            heads += [f"\n{head}"] * len(some)
            tails += some
        return woven(heads, tails, lines)[1:]

    def of(self, number: int) -> str:
        """One number with what stands behind it."""
        return f"{number:{self._shape}}{self._behind}"

    def _columns(self, first: int, end: int) -> Iterator[tuple[str, list[str]]]:
        """Numbers in parts: what all of a part begin with, and how each goes on."""
        while first < end:
            thousands, begin = divmod(first, THOUSAND)
            stop = min(THOUSAND, begin + end - first)
            if thousands <= 0:  # these have fewer digits, or a sign
                yield "", [self.of(number) for number in range(first, first + stop - begin)]
            else:
                text = format(thousands * THOUSAND, self._shape)
                digits = text.rstrip(" ")
                yield digits[:-3], self._rests(text[len(digits) :])[begin:stop]
            first += stop - begin

    def _rests(self, blanks: str) -> list[str]:
        """The last three digits of all numbers, with what stands behind them."""
        if blanks not in self._tails:
            behind = blanks + self._behind
            self._tails[blanks] = [f"{number:03}{behind}" for number in range(THOUSAND)]
        return self._tails[blanks]
