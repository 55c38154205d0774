"""Arrays of bc."""

from __future__ import annotations

from decimal import Decimal

from keysh.tools.bc.numerals import ZERO
from keysh.tools.bc.problem import NOWHERE, Fault

MOST_INDEX = 16777215
OUT_OF_BOUNDS = "subscript out of bounds."
MOST_ELEMENTS, MOST_BYTES = 1_000_000, 64 << 20  # of an array
LARGE = 1000  # bytes of a number


class Array(dict[int, Decimal]):
    """An array, whose elements are 0 at first."""

    __slots__ = ("_large",)

    def __init__(self, elements: dict[int, Decimal] | None = None) -> None:
        super().__init__(elements or {})
        self._large = 0  # bytes of the large numbers that were put, be they still there or not

    def __missing__(self, key: int) -> Decimal:
        return ZERO

    def copy(self) -> Array:
        return Array(self)

    def put(self, key: int, value: Decimal) -> Decimal:
        """Set an element; the value."""
        self[key] = value
        if value.__sizeof__() > LARGE or len(self) > MOST_ELEMENTS:
            self._weigh(value)
        return value

    def _weigh(self, value: Decimal) -> None:
        """Look whether there is room for one more."""
        self._large += value.__sizeof__()
        if self._large > MOST_BYTES:
            self._large = sum(one.__sizeof__() for one in self.values())
        if self._large > MOST_BYTES or len(self) > MOST_ELEMENTS:
            raise Fault("memory exhausted", NOWHERE)


def index(value: Decimal, site: int) -> int:
    """A number as an index of an array."""
    if 0 <= value <= MOST_INDEX:
        number = int(value)
        if number or not value:
            return number
    raise Fault(OUT_OF_BOUNDS, site)


def put(array: Array, key: Decimal, value: Decimal, site: int) -> Decimal:
    """Set an element of an array; the value."""
    return array.put(index(key, site), value)
