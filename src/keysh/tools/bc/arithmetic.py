"""Arithmetic of bc: what its operators make of numbers, with the scale that each result has.

A number is a Decimal whose exponent is its scale, below zero. `site` is the place in the program's
code, for what goes wrong.
"""

from __future__ import annotations

from decimal import ROUND_UP, Context, Decimal

from keysh.tools.bc.numerals import EXACT, ONE, ZERO, cut_to_scale, quantum, scale_of, size_of
from keysh.tools.bc.problem import BcRuntimeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_NUMBER_DIGITS = 500_000  # of a number: no operation on such ones takes long
COSTLY_DIGITS = 2000  # digits of a number whose operations are worth a look at the clock
MAX_EXPONENT = 9223372036854775807
FULL_POWER_DIGITS = 4000  # digits of a power that is worked out in full
CONTEXT_OPTIONS: dict[str, Any] = {
    "Emax": EXACT.Emax, "Emin": EXACT.Emin, "rounding": EXACT.rounding, "traps": [],
}  # fmt: skip
HALF = Decimal("0.5")
ROUGH_CONTEXT = Context(prec=20, **CONTEXT_OPTIONS)
NUMBER_TOO_LONG = f"number of more than {MAX_NUMBER_DIGITS} digits"

add, subtract, multiply = EXACT.add, EXACT.subtract, EXACT.multiply
scaleb, divide_int = EXACT.scaleb, EXACT.divide_int


class BcArithmetic:
    """The operators; `tick` ends a run that is cancelled or over its time, `warn` tells of what is
    not as it should be.
    """

    __slots__ = ("tick", "warn")

    def __init__(self, tick: Callable[[], None], warn: Callable[[str, int], object]) -> None:
        self.tick, self.warn = tick, warn

    def check_digits(self, digits: int, site: int) -> None:
        """Look at the size of a number before or behind an operation."""
        if digits > COSTLY_DIGITS:
            self.tick()
            if digits > MAX_NUMBER_DIGITS:
                raise BcRuntimeError(NUMBER_TOO_LONG, site)

    def product(self, a: Decimal, b: Decimal, scale: int, site: int) -> Decimal:
        """a * b."""
        found = multiply(a, b)
        if found.same_quantum(ONE):
            if found.adjusted() > COSTLY_DIGITS:
                self.check_digits(found.adjusted(), site)
            return found
        places = scale_of(found)
        if places > scale:
            most = max(scale, scale_of(a), scale_of(b))
            if places > most:
                places, found = most, cut_to_scale(found, most)
        if found.adjusted() + places > COSTLY_DIGITS:
            self.check_digits(found.adjusted() + places, site)
        return found

    def quotient(self, a: Decimal, b: Decimal, scale: int, site: int) -> Decimal:
        """a / b."""
        if not b:
            raise BcRuntimeError("Divide by zero", site)
        digits = a.adjusted() - b.adjusted() + scale
        if digits > COSTLY_DIGITS:
            self.check_digits(digits, site)
        elif b.__sizeof__() > COSTLY_DIGITS:
            self.tick()
        if not scale:
            return divide_int(a, b)
        return scaleb(divide_int(scaleb(a, scale), b), -scale)

    def remainder(self, a: Decimal, b: Decimal, scale: int, site: int) -> Decimal:
        """a % b: what a / b, with its scale, leaves of a."""
        if not b:
            raise BcRuntimeError("Modulo by zero", site)
        return subtract(a, multiply(self.quotient(a, b, scale, site), b))

    def power(self, a: Decimal, b: Decimal, scale: int, site: int) -> Decimal:
        """a ^ b, where b is a whole number."""
        if scale_of(b):
            self.warn("non-zero scale in exponent", site)
        if b.copy_abs() > MAX_EXPONENT:
            raise BcRuntimeError("exponent too large in raise", site)
        if not a and b < 0:
            raise BcRuntimeError("divide by zero", site)
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
                self.check_digits(power.adjusted(), site)
                return cut_to_scale(power, most)
        else:
            rough = ROUGH_CONTEXT.power(a, exponent)
            self.check_digits(
                MAX_NUMBER_DIGITS + 1 if rough.is_infinite() else rough.adjusted(), site
            )
            return EXACT.power(a, exponent)
        return self.truncated_power(a, abs(exponent), last, site)

    def truncated_power(
        self, a: Decimal, exponent: int, last: Callable[[Decimal], Decimal], site: int
    ) -> Decimal:
        """What `last` makes of a power. Of one with many digits only so many are worked out as it
        takes until it no longer matters which the others are.
        """
        digits, whole = FULL_POWER_DIGITS, exponent * size_of(a)
        while digits < min(whole, MAX_NUMBER_DIGITS):
            self.tick()
            near = Context(prec=digits, **CONTEXT_OPTIONS).power(a, exponent)
            if near.is_infinite():
                break
            slack = scaleb(ONE, 5 - digits)
            low = last(multiply(near, subtract(ONE, slack)))
            if low == last(multiply(near, add(ONE, slack))):
                return low
            digits *= 8
        self.check_digits(whole, site)
        return last(EXACT.power(a, exponent))

    def root(self, a: Decimal, scale: int, site: int) -> Decimal:
        """The square root."""
        if a < 0:
            raise BcRuntimeError("Square root of a negative number", site)
        if not a or a == ONE:
            return ONE if a else ZERO
        places = max(scale, scale_of(a))
        digits = max(a.adjusted() // 2, 0) + places + 4
        self.check_digits(digits, site)
        found = cut_to_scale(self.approximate_root(a, digits), places)
        # It is rounded, where bc cuts off.
        step = quantum(places)
        while multiply(found, found) > a:
            found = subtract(found, step)
        return found

    def approximate_root(self, a: Decimal, digits: int) -> Decimal:
        """The square root with so many digits, of which the last may be too large. Behind the
        first ones each of Newton's steps, which come from above, makes twice as many right.
        """
        right = min(digits, FULL_POWER_DIGITS)
        near = Context(prec=right, **CONTEXT_OPTIONS).sqrt(a)
        while right < digits:
            self.tick()
            right = min(2 * right - 4, digits)
            context = Context(prec=right + 4, **{**CONTEXT_OPTIONS, "rounding": ROUND_UP})
            near = context.multiply(add(near, context.divide(a, near)), HALF)
        return near
