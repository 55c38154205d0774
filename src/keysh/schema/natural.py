"""Naturals: whole numbers without a sign, as many as 64 bits hold."""

from __future__ import annotations

from errno import EOVERFLOW
from os import strerror

from keysh.schema.types import BLANKS, Int, Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias


class NaturalType(Int):
    """A count: 5, or +5."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        if text.lstrip(BLANKS)[:1] == "-":
            raise Unfit(self.must, text)
        return held(super().parse(text), text)


def held(value: int, text: str) -> int:
    """A number, where 64 bits hold it; raises Unfit."""
    if abs(value) >> 64:
        unfit = Unfit("a smaller number", text)
        unfit.reason = f": {strerror(EOVERFLOW)}"
        raise unfit
    return value


NATURAL = NaturalType("int", "a whole number that is not negative")
if TYPE_CHECKING:
    Natural: TypeAlias = int
else:
    Natural = NATURAL
