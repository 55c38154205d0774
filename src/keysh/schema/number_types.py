"""Number types that hold 64 bits: counts, and sizes with a sign."""

from __future__ import annotations

from errno import EOVERFLOW
from os import strerror

from keysh.schema.types import C_BLANKS, IntType, SizeType, UnfitValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias


class NaturalType(IntType):
    """A count: 5 or +5."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        if text.lstrip(C_BLANKS)[:1] == "-":
            raise UnfitValue(self.requirement, text)
        return value_in_64_bits(super().parse(text), text)


def value_in_64_bits(value: int, text: str) -> int:
    """Return a number that fits 64 bits; raise UnfitValue for any other."""
    if abs(value) >> 64:
        unfit = UnfitValue("a smaller number", text)
        unfit.reason = f": {strerror(EOVERFLOW)}"
        raise unfit
    return value


NATURAL = NaturalType("int", "a whole number that is not negative")
if TYPE_CHECKING:
    Natural: TypeAlias = int
else:
    Natural = NATURAL


# ---------------------------------------------------------------- signed sizes


class SignedSizeType(SizeType):
    """A size of `head` and `tail`; a message shows a bad one without its minus."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        if text[-1:] in ("c", "w"):
            raise UnfitValue(self.requirement, text)
        try:
            found = super().parse(text)
        except UnfitValue as unfit:
            raise UnfitValue(unfit.must, text.removeprefix("-")) from None
        return value_in_64_bits(found, text)
