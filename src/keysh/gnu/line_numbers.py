r"""Number lines fast, by interleaving columns of precomputed text.

    "\n   123"  "456\t"  "the line"      thousands, the last three digits, the line

A thousand lines share the first column, and the second one is the same for all thousands.
"""

from __future__ import annotations

from keysh.text.chunks import interleave

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GROUP_SIZE = 1000


class LineNumberFormat:
    """The format of line numbers: a format specification such as `>6`, and a suffix."""

    __slots__ = ("_suffix", "_format", "_tails")

    def __init__(self, specification: str, suffix: str) -> None:
        self._format, self._suffix = specification, suffix
        self._tails: dict[str, list[str]] = {}  # by the blanks after the digits

    def number_lines(self, lines: Sequence[str], first: int) -> str:
        """Return lines with numbers from `first` on, joined by newlines."""
        if first + len(lines) <= GROUP_SIZE:
            specification, suffix = self._format, self._suffix
            numbered = enumerate(lines, first)
            return "\n".join(
                [f"{number:{specification}}{suffix}{line}" for number, line in numbered]
            )
        heads: list[str] = []
        tails: list[str] = []
        for head, endings in self._columns(first, first + len(lines)):
            heads += [f"\n{head}"] * len(endings)
            tails += endings
        return interleave(heads, tails, lines)[1:]

    def format_number(self, number: int) -> str:
        """Format one number with its suffix."""
        return f"{number:{self._format}}{self._suffix}"

    def _columns(self, first: int, end: int) -> Iterator[tuple[str, list[str]]]:
        """Yield groups of numbers: the start they share, and the end of each."""
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
        """Return the last three digits of all numbers, with the suffix."""
        if blanks not in self._tails:
            suffix = blanks + self._suffix
            self._tails[blanks] = [f"{number:03}{suffix}" for number in range(GROUP_SIZE)]
        return self._tails[blanks]
