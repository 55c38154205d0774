"""Signed sizes: how much of a file, where a sign says from which end."""

from __future__ import annotations

from keysh.schema.natural import held
from keysh.schema.types import SizeType, Unfit


class SignedSize(SizeType):
    """A size that 64 bits hold, as `head` and `tail` take it; a minus is no part of its name."""

    __slots__ = ()

    def parse(self, text: str) -> int:
        if text[-1:] in ("c", "w"):
            raise Unfit(self.must, text)
        try:
            found = super().parse(text)
        except Unfit as unfit:
            raise Unfit(unfit.must, text.removeprefix("-")) from None
        return held(found, text)
