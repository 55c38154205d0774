"""Arithmetic of bc: what its operators make of numbers, with the scale that each result has.

A number is a Decimal whose exponent is its scale, below zero. `site` is the place in the program's
code, for what goes wrong.
"""

from __future__ import annotations

from decimal import ROUND_UP, Context, Decimal

from keysh.tools.bc.numerals import EXACT, ONE, ZERO, cut, quantum, scale_of, size_of
from keysh.tools.bc.problem import Fault

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_DIGITS = 500_000  # of a number: no operation on such ones takes long
LARGE = 2000  # digits of a number whose operations are worth a look at the clock
MOST_EXPONENT = 9223372036854775807
FEW = 4000  # digits of a power that is worked out in full
RANGE: dict[str, Any] = {
    "Emax": EXACT.Emax, "Emin": EXACT.Emin, "rounding": EXACT.rounding, "traps": [],
}  # fmt: skip
HALF = Decimal("0.5")
ROUGH = Context(prec=20, **RANGE)
TOO_LARGE = f"number of more than {MOST_DIGITS} digits"

add, subtract, multiply = EXACT.add, EXACT.subtract, EXACT.multiply
scaleb, divide_int = EXACT.scaleb, EXACT.divide_int


class Arithmetic:
    """The operators; `tick` ends a run that is cancelled or over its time, `warn` tells of what is
    not as it should be.
    """

    __slots__ = ("tick", "warn")

    def __init__(self, tick: Callable[[], None], warn: Callable[[str, int], object]) -> None:
        self.tick, self.warn = tick, warn

    def weigh(self, digits: int, site: int) -> None:
        """Look at the size of a number before or behind an operation."""
        if digits > LARGE:
            self.tick()
            if digits > MOST_DIGITS:
                raise Fault(TOO_LARGE, site)

    def product(self, a: Decimal, b: Decimal, scale: int, site: int) -> Decimal:
        """a * b."""
        found = multiply(a, b)
        if found.same_quantum(ONE):
            if found.adjusted() > LARGE:
                self.weigh(found.adjusted(), site)
            return found
        places = scale_of(found)
        if places > scale:
            most = max(scale, scale_of(a), scale_of(b))
            if places > most:
                places, found = most, cut(found, most)
        if found.adjusted() + places > LARGE:
            self.weigh(found.adjusted() + places, site)
        return found

    def quotient(self, a: Decimal, b: Decimal, scale: int, site: int) -> Decimal:
        """a / b."""
        if not b:
            raise Fault("Divide by zero", site)
        digits = a.adjusted() - b.adjusted() + scale
        if digits > LARGE:
            self.weigh(digits, site)
        elif b.__sizeof__() > LARGE:
            self.tick()
        if not scale:
            return divide_int(a, b)
        return scaleb(divide_int(scaleb(a, scale), b), -scale)

    def remainder(self, a: Decimal, b: Decimal, scale: int, site: int) -> Decimal:
        """a % b: what a / b, with its scale, leaves of a."""
        if not b:
            raise Fault("Modulo by zero", site)
        return subtract(a, multiply(self.quotient(a, b, scale, site), b))

    def power(self, a: Decimal, b: Decimal, scale: int, site: int) -> Decimal:
        """a ^ b, where b is a whole number."""
        if scale_of(b):
            self.warn("non-zero scale in exponent", site)
        if b.copy_abs() > MOST_EXPONENT:
            raise Fault("exponent too large in raise", site)
        if not a and b < 0:
            raise Fault("divide by zero", site)
        exponent = int(b)
        if not exponent:
            return ONE
        places = scale_of(a)
        if exponent < 0:

            def last(power: Decimal) -> Decimal:
                return self.quotient(ONE, power, scale, site)
        elif places:
            most = min(places * exponent, max(scale, places))

            def last(power: Decimal) -> Decimal:
                self.weigh(power.adjusted(), site)
                return cut(power, most)
        else:
            rough = ROUGH.power(a, exponent)
            self.weigh(MOST_DIGITS + 1 if rough.is_infinite() else rough.adjusted(), site)
            return EXACT.power(a, exponent)
        return self.settled(a, abs(exponent), last, site)

    def settled(
        self, a: Decimal, exponent: int, last: Callable[[Decimal], Decimal], site: int
    ) -> Decimal:
        """What `last` makes of a power. Of one with many digits only so many are worked out as it
        takes until it no longer matters which the others are.
        """
        digits, whole = FEW, exponent * size_of(a)
        while digits < min(whole, MOST_DIGITS):
            self.tick()
            near = Context(prec=digits, **RANGE).power(a, exponent)
            if near.is_infinite():
                break
            slack = scaleb(ONE, 5 - digits)
            low = last(multiply(near, subtract(ONE, slack)))
            if low == last(multiply(near, add(ONE, slack))):
                return low
            digits *= 8
        self.weigh(whole, site)
        return last(EXACT.power(a, exponent))

    def root(self, a: Decimal, scale: int, site: int) -> Decimal:
        """The square root."""
        if a < 0:
            raise Fault("Square root of a negative number", site)
        if not a or a == ONE:
            return ONE if a else ZERO
        places = max(scale, scale_of(a))
        digits = max(a.adjusted() // 2, 0) + places + 4
        self.weigh(digits, site)
        found = cut(self.near_root(a, digits), places)
        # It is rounded, where bc cuts off.
        step = quantum(places)
        while multiply(found, found) > a:
            found = subtract(found, step)
        return found

    def near_root(self, a: Decimal, digits: int) -> Decimal:
        """The square root with so many digits, of which the last may be too large. Behind the
        first ones each of Newton's steps, which come from above, makes twice as many right.
        """
        right = min(digits, FEW)
        near = Context(prec=right, **RANGE).sqrt(a)
        while right < digits:
            self.tick()
            right = min(2 * right - 4, digits)
            context = Context(prec=right + 4, **{**RANGE, "rounding": ROUND_UP})
            near = context.multiply(add(near, context.divide(a, near)), HALF)
        return near
