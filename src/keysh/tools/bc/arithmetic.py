"""The operators of bc, with the scale that each result has.

A number is a Decimal whose exponent is the negated scale.
"""

from __future__ import annotations

from decimal import ROUND_UP, Context, Decimal

from keysh.tools.bc.numerals import EXACT, ONE, ZERO, cut_to_scale, quantum, scale_of, size_of
from keysh.tools.bc.problem import BcRuntimeError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MAX_NUMBER_DIGITS = 500_000  # no operation on numbers of this size takes long
COSTLY_DIGITS = 2000  # above this size an operation checks the clock
MAX_EXPONENT = 9223372036854775807
FULL_POWER_DIGITS = 4000  # a power up to this size is computed exactly at once
CONTEXT_OPTIONS: dict[str, Any] = {
    "Emax": EXACT.Emax, "Emin": EXACT.Emin, "rounding": EXACT.rounding, "traps": [],
}  # fmt: skip
HALF = Decimal("0.5")
ROUGH_CONTEXT = Context(prec=20, **CONTEXT_OPTIONS)
NUMBER_TOO_LONG = f"number of more than {MAX_NUMBER_DIGITS} digits"

add, subtract, multiply = EXACT.add, EXACT.subtract, EXACT.multiply
scaleb, divide_int = EXACT.scaleb, EXACT.divide_int


class BcArithmetic:
    """The operators. `tick` ends a run that is cancelled or out of time; `warn` prints warnings."""

    __slots__ = ("tick", "warn")

    def __init__(self, tick: Callable[[], None], warn: Callable[[str], object]) -> None:
        self.tick, self.warn = tick, warn

    def check_digits(self, digits: int) -> None:
        """Check the clock and the size limit for a number of this many digits."""
        if digits > COSTLY_DIGITS:
            self.tick()
            if digits > MAX_NUMBER_DIGITS:
                raise BcRuntimeError(NUMBER_TOO_LONG)

    def product(self, a: Decimal, b: Decimal, scale: int) -> Decimal:
        """Return a * b."""
        result = multiply(a, b)
        if result.same_quantum(ONE):
            if result.adjusted() > COSTLY_DIGITS:
                self.check_digits(result.adjusted())
            return result
        places = scale_of(result)
        if places > scale:
            most = max(scale, scale_of(a), scale_of(b))
            if places > most:
                places, result = most, cut_to_scale(result, most)
        if result.adjusted() + places > COSTLY_DIGITS:
            self.check_digits(result.adjusted() + places)
        return result

    def quotient(self, a: Decimal, b: Decimal, scale: int) -> Decimal:
        """Return a / b."""
        if not b:
            raise BcRuntimeError("Divide by zero")
        digits = a.adjusted() - b.adjusted() + scale
        if digits > COSTLY_DIGITS:
            self.check_digits(digits)
        elif b.__sizeof__() > COSTLY_DIGITS:
            self.tick()
        if not scale:
            return divide_int(a, b)
        return scaleb(divide_int(scaleb(a, scale), b), -scale)

    def remainder(self, a: Decimal, b: Decimal, scale: int) -> Decimal:
        """Return a % b: a - b * (a / b), where the quotient has the scale given."""
        if not b:
            raise BcRuntimeError("Modulo by zero")
        return subtract(a, multiply(self.quotient(a, b, scale), b))

    def power(self, a: Decimal, b: Decimal, scale: int) -> Decimal:
        """Return a ^ b for an integer b."""
        if scale_of(b):
            self.warn("non-zero scale in exponent")
        if b.copy_abs() > MAX_EXPONENT:
            raise BcRuntimeError("exponent too large in raise")
        if not a and b < 0:
            raise BcRuntimeError("divide by zero")
        exponent = int(b)
        if not exponent:
            return ONE
        places = scale_of(a)
        if exponent < 0:

            def finish(power: Decimal) -> Decimal:
                return self.quotient(ONE, power, scale)
        elif places:
            most = min(places * exponent, max(scale, places))

            def finish(power: Decimal) -> Decimal:
                self.check_digits(power.adjusted())
                return cut_to_scale(power, most)
        else:
            rough = ROUGH_CONTEXT.power(a, exponent)
            self.check_digits(MAX_NUMBER_DIGITS + 1 if rough.is_infinite() else rough.adjusted())
            return EXACT.power(a, exponent)
        return self.truncated_power(a, abs(exponent), finish)

    def truncated_power(
        self, a: Decimal, exponent: int, finish: Callable[[Decimal], Decimal]
    ) -> Decimal:
        """Return `finish` of a power, without computing more of its digits than the result needs.

        A power with a limited precision has an error bound. Once `finish` yields the same result
        at both bounds, the digits left out cannot matter.
        """
        digits, whole = FULL_POWER_DIGITS, exponent * size_of(a)
        while digits < min(whole, MAX_NUMBER_DIGITS):
            self.tick()
            near = Context(prec=digits, **CONTEXT_OPTIONS).power(a, exponent)
            if near.is_infinite():
                break
            slack = scaleb(ONE, 5 - digits)
            low = finish(multiply(near, subtract(ONE, slack)))
            if low == finish(multiply(near, add(ONE, slack))):
                return low
            digits *= 8
        self.check_digits(whole)
        return finish(EXACT.power(a, exponent))

    def root(self, a: Decimal, scale: int) -> Decimal:
        """Return the square root of a."""
        if a < 0:
            raise BcRuntimeError("Square root of a negative number")
        if not a or a == ONE:
            return ONE if a else ZERO
        places = max(scale, scale_of(a))
        digits = max(a.adjusted() // 2, 0) + places + 4
        self.check_digits(digits)
        result = cut_to_scale(self.approximate_root(a, digits), places)
        # The approximation may be rounded up; bc always truncates.
        step = quantum(places)
        while multiply(result, result) > a:
            result = subtract(result, step)
        return result

    def approximate_root(self, a: Decimal, digits: int) -> Decimal:
        """Return the square root to this many digits, the last of which may be too large.

        Newton's steps double the number of correct digits each time and approach from above.
        """
        correct = min(digits, FULL_POWER_DIGITS)
        near = Context(prec=correct, **CONTEXT_OPTIONS).sqrt(a)
        while correct < digits:
            self.tick()
            correct = min(2 * correct - 4, digits)
            context = Context(prec=correct + 4, **{**CONTEXT_OPTIONS, "rounding": ROUND_UP})
            near = context.multiply(add(near, context.divide(a, near)), HALF)
        return near
