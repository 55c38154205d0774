"""Arrays of bc."""

from __future__ import annotations

from decimal import Decimal

from keysh.tools.bc.numerals import ZERO
from keysh.tools.bc.problem import NOWHERE, BcRuntimeError

MAX_INDEX = 16777215
OUT_OF_BOUNDS = "subscript out of bounds."
MAX_ARRAY_ELEMENTS, MAX_ARRAY_BYTES = 1_000_000, 64 << 20  # of an array
LARGE_NUMBER_BYTES = 1000  # bytes of a number


class BcArray(dict[int, Decimal]):
    """An array, whose elements are 0 at first."""

    __slots__ = ("_large_bytes",)

    def __init__(self, elements: dict[int, Decimal] | None = None) -> None:
        super().__init__(elements or {})
        self._large_bytes = (
            0  # bytes of the large numbers that were put, be they still there or not
        )

    def __missing__(self, key: int) -> Decimal:
        return ZERO

    def copy(self) -> BcArray:
        return BcArray(self)

    def put(self, key: int, value: Decimal) -> Decimal:
        """Set an element; the value."""
        self[key] = value
        if value.__sizeof__() > LARGE_NUMBER_BYTES or len(self) > MAX_ARRAY_ELEMENTS:
            self._check_room(value)
        return value

    def _check_room(self, value: Decimal) -> None:
        """Look whether there is room for one more."""
        self._large_bytes += value.__sizeof__()
        if self._large_bytes > MAX_ARRAY_BYTES:
            self._large_bytes = sum(one.__sizeof__() for one in self.values())
        if self._large_bytes > MAX_ARRAY_BYTES or len(self) > MAX_ARRAY_ELEMENTS:
            raise BcRuntimeError("memory exhausted", NOWHERE)


def index_of(value: Decimal, site: int) -> int:
    """A number as an index of an array."""
    if 0 <= value <= MAX_INDEX:
        number = int(value)
        if number or not value:
            return number
    raise BcRuntimeError(OUT_OF_BOUNDS, site)


def put_element(array: BcArray, key: Decimal, value: Decimal, site: int) -> Decimal:
    """Set an element of an array; the value."""
    return array.put(index_of(key, site), value)
