"""Brace ranges: expand `{1..9..2}` and `{a..e}`."""

from __future__ import annotations

from keysh.text.shell_numbers import is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


def brace_range(first: str, last: str, step: str) -> Sequence[str] | NumberRange | None:
    """Return the words of a range, or None if the text is not a range and stays as it is.

    If either end has a leading zero, all numbers are padded to the width of the wider end.
    """
    if step and not is_range_number(step):
        return None
    by = abs(int(step or 1)) or 1
    if is_range_number(first) and is_range_number(last):
        start, stop = int(first), int(last)
        numbers = range(start, stop + 1, by) if start <= stop else range(start, stop - 1, -by)
        padded = any(has_leading_zero(text) for text in (first, last))
        return NumberRange(numbers, max(len(first), len(last)) if padded else 0)
    if len(first) == len(last) == 1 and (first + last).isascii() and (first + last).isalpha():
        start, stop = ord(first), ord(last)
        codes = range(start, stop + 1, by) if start <= stop else range(start, stop - 1, -by)
        return [chr(code) for code in codes]
    return None


def is_range_number(text: str) -> bool:
    digits = text[1:] if text[:1] in ("-", "+") else text
    return is_digits(digits) and len(digits) < 19


def has_leading_zero(text: str) -> bool:
    digits = text.lstrip("-+")
    return len(digits) > 1 and digits[0] == "0"


class NumberRange:
    """The words of a numeric range, created lazily."""

    __slots__ = ("_numbers", "_width")

    def __init__(self, numbers: range, width: int) -> None:
        self._numbers, self._width = numbers, width

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[str]:
        width = self._width
        return (f"{number:0{width}d}" if width else str(number) for number in self._numbers)
