"""Numerals: the numbers in front of lines.

    "\\n   123"  "456\\t"  "the line"      what is woven: thousands, the rest, the line

A thousand lines share the first column, and the second one is the same for all thousands.
"""

from __future__ import annotations

from keysh.text.chunks import interleave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GROUP_SIZE = 1000


class LineNumberFormat:
    """How numbers look: their format, such as `>6`, and what stands behind them."""

    __slots__ = ("_suffix", "_format", "_tails")

    def __init__(self, shape: str, behind: str) -> None:
        self._format, self._suffix = shape, behind
        self._tails: dict[str, list[str]] = {}  # by the blanks behind the digits

    def number_lines(self, lines: Sequence[str], first: int) -> str:
        """Lines, each behind its number; only between them are newlines."""
        if first + len(lines) <= GROUP_SIZE:
            shape, behind = self._format, self._suffix
            numbered = enumerate(lines, first)
            return "\n".join([f"{number:{shape}}{behind}{line}" for number, line in numbered])
        heads: list[str] = []
        tails: list[str] = []
        for head, some in self._columns(first, first + len(lines)):
            heads += [f"\n{head}"] * len(some)
            tails += some
        return interleave(heads, tails, lines)[1:]

    def format_number(self, number: int) -> str:
        """One number with what stands behind it."""
        return f"{number:{self._format}}{self._suffix}"

    def _columns(self, first: int, end: int) -> Iterator[tuple[str, list[str]]]:
        """Numbers in parts: what all of a part begin with, and how each goes on."""
        while first < end:
            thousands, begin = divmod(first, GROUP_SIZE)
            stop = min(GROUP_SIZE, begin + end - first)
            if thousands <= 0:  # these have fewer digits, or a sign
                yield (
                    "",
                    [self.format_number(number) for number in range(first, first + stop - begin)],
                )
            else:
                text = format(thousands * GROUP_SIZE, self._format)
                digits = text.rstrip(" ")
                yield digits[:-3], self._rests(text[len(digits) :])[begin:stop]
            first += stop - begin

    def _rests(self, blanks: str) -> list[str]:
        """The last three digits of all numbers, with what stands behind them."""
        if blanks not in self._tails:
            behind = blanks + self._suffix
            self._tails[blanks] = [f"{number:03}{behind}" for number in range(GROUP_SIZE)]
        return self._tails[blanks]
