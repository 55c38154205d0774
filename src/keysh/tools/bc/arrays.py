"""Arrays of bc."""

from __future__ import annotations

from decimal import Decimal

from keysh.tools.bc.numerals import ZERO
from keysh.tools.bc.problem import BcRuntimeError

MAX_INDEX = 16777215
MAX_ARRAY_ELEMENTS, MAX_ARRAY_BYTES = 1_000_000, 64 << 20
LARGE_NUMBER_BYTES = 1000  # only numbers above this size count toward MAX_ARRAY_BYTES


class BcArray(dict[int, Decimal]):
    """An array, whose elements are 0 until they are set."""

    __slots__ = ("_large_bytes",)

    def __init__(self, elements: dict[int, Decimal] | None = None) -> None:
        super().__init__(elements or {})
        self._large_bytes = 0  # of all large numbers ever stored, even if replaced since

    def __missing__(self, key: int) -> Decimal:
        return ZERO

    def copy(self) -> BcArray:
        return BcArray(self)

    def put(self, key: int, value: Decimal) -> Decimal:
        """Set an element and return its value."""
        self[key] = value
        if value.__sizeof__() > LARGE_NUMBER_BYTES or len(self) > MAX_ARRAY_ELEMENTS:
            self._check_room(value)
        return value

    def _check_room(self, value: Decimal) -> None:
        """Raise an error if the array has become too large."""
        self._large_bytes += value.__sizeof__()
        if self._large_bytes > MAX_ARRAY_BYTES:
            self._large_bytes = sum(element.__sizeof__() for element in self.values())
        if self._large_bytes > MAX_ARRAY_BYTES or len(self) > MAX_ARRAY_ELEMENTS:
            raise BcRuntimeError("memory exhausted")


def index_of(value: Decimal, name: str) -> int:
    """Return a number as an index of the array called `name`."""
    if 0 <= value <= MAX_INDEX:
        number = int(value)
        if number or not value:
            return number
    raise BcRuntimeError(f"Array {name} subscript out of bounds.")


def put_element(array: BcArray, key: Decimal, value: Decimal, name: str) -> Decimal:
    """Set an element of the array called `name` and return its value."""
    return array.put(index_of(key, name), value)
