"""The functions of `bc -l`: s, c, a, l, e and j.

Each is a series, summed until a term is 0. Every step has as many digits as in GNU bc, because
the last digits of the result depend on that.
"""

from __future__ import annotations

from decimal import Decimal

from keysh.tools.bc.arithmetic import BcArithmetic, add, subtract
from keysh.tools.bc.numerals import EXACT, ONE, ZERO, cut_to_scale, scale_of, size_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.bc.function_links import Signature

MATHLIB_SCALE = 20  # the initial `scale` with -l
MATHLIB_SIGNATURES: dict[str, Signature] = {
    "e": ("",), "l": ("",), "s": ("",), "c": ("",), "a": ("",), "j": ("", ""),
}  # fmt: skip
HALF, TWO, FOUR, FIFTH = Decimal("0.5"), Decimal(2), Decimal(4), Decimal("0.2")
MINUS_ONE = Decimal(-1)
# The arctangents of 1 and .2, truncated, as far as GNU bc has them as constants.
KNOWN_ARCTANGENTS = {
    ONE: "0.785398163397448309615660845819875721049292349843776455243736",
    FIFTH: "0.197395559849880758370049765194790293447585103787852101517688",
}
KNOWN_SCALES = (25, 40, 60)


class MathLibrary:
    """The functions. `scale` returns the current scale."""

    __slots__ = ("_arithmetic", "_scale")

    def __init__(self, scale: Callable[[], int], arithmetic: BcArithmetic) -> None:
        self._scale, self._arithmetic = scale, arithmetic

    def functions(self) -> dict[str, Callable[..., Decimal]]:
        """Return the functions by their generated names. They ignore the depth of the call."""
        return {
            "f_e": lambda _, x: self.exponential(x, self._scale()),
            "f_l": lambda _, x: self.logarithm(x, self._scale()),
            "f_s": lambda _, x: self.sine(x, self._scale()),
            "f_c": lambda _, x: self.cosine(x, self._scale()),
            "f_a": lambda _, x: self.arctangent(x, self._scale()),
            "f_j": lambda _, n, x: self.bessel(n, x, self._scale()),
        }

    def product(self, a: Decimal, b: Decimal, scale: int) -> Decimal:
        return self._arithmetic.product(a, b, scale)

    def quotient(self, a: Decimal, b: Decimal, scale: int) -> Decimal:
        return self._arithmetic.quotient(a, b, scale)

    def result(self, value: Decimal, scale: int) -> Decimal:
        """Return a value with this scale."""
        return self.quotient(value, ONE, scale)

    def exponential(self, x: Decimal, scale: int) -> Decimal:
        """Return e(x). Halve x until it is at most 1, and square the result as many times."""
        is_negative, x = x < 0, x.copy_abs()
        digits = int(add(Decimal(6 + scale), self.product(Decimal("0.44"), x, scale)))
        halvings, places = 0, scale_of(x) + 1
        while x > 1:
            halvings += 1
            x = self.quotient(x, TWO, places)
            places += 1
        total, power, factorial, i = add(ONE, x), x, ONE, 1
        while True:
            self._arithmetic.tick()
            i += 1
            power = self.product(power, x, digits)
            factorial = self.product(factorial, Decimal(i), digits)
            term = self.quotient(power, factorial, digits)
            if not term:
                break
            total = add(total, term)
        for _ in range(halvings):
            total = self.product(total, total, digits)
        if is_negative:
            return self.quotient(ONE, total, scale)
        return self.result(total, scale)

    def logarithm(self, x: Decimal, scale: int) -> Decimal:
        """Return l(x). Take square roots until x is between .5 and 2."""
        if x <= 0:
            return self.result(subtract(ONE, EXACT.power(Decimal(10), scale)), scale)
        digits, factor = scale + 6, TWO
        while x >= 2 or x <= HALF:
            factor = add(factor, factor)
            x = self._arithmetic.root(x, digits)
        power = self.quotient(subtract(x, ONE), add(x, ONE), digits)
        square = self.product(power, power, digits)
        return self.result(
            self.product(factor, self.odd_terms(power, square, digits), digits), scale
        )

    def odd_terms(self, x: Decimal, square: Decimal, digits: int) -> Decimal:
        """Return x + x*q/3 + x*q^2/5 + … where q is the square."""
        total, i = x, 1
        while True:
            self._arithmetic.tick()
            i += 2
            x = self.product(x, square, digits)
            term = self.quotient(x, Decimal(i), digits)
            if not term:
                return total
            total = add(total, term)

    def sine(self, x: Decimal, scale: int) -> Decimal:
        """Return s(x). Reduce x by whole turns first."""
        digits = scale * 11 // 10 + 2
        quarter = self.arctangent(ONE, digits)
        is_negative, x = x < 0, x.copy_abs()
        turns = self.quotient(add(self.quotient(x, quarter, 0), TWO), FOUR, 0)
        x = subtract(x, self.product(self.product(FOUR, turns, 0), quarter, 0))
        if self._arithmetic.remainder(turns, TWO, 0):
            x = EXACT.minus(x)
        digits = scale + 2
        total = term = x
        square = self.product(EXACT.minus(x), x, digits)
        i = 1
        while True:
            self._arithmetic.tick()
            i += 2
            term = self.product(term, self.quotient(square, Decimal(i * (i - 1)), digits), digits)
            if not term:
                break
            total = add(total, term)
        return self.result(EXACT.minus(total) if is_negative else total, scale)

    def cosine(self, x: Decimal, scale: int) -> Decimal:
        """Return c(x): the sine of x plus a right angle."""
        digits = scale * 12 // 10
        angle = add(x, self.product(self.arctangent(ONE, digits), TWO, digits))
        return self.result(self.sine(angle, digits), scale)

    def arctangent(self, x: Decimal, scale: int) -> Decimal:
        """Return a(x). Subtract the angle whose tangent is .2 until x is at most .2."""
        sign = ONE
        if x < 0:
            sign, x = MINUS_ONE, x.copy_abs()
        if x in KNOWN_ARCTANGENTS and scale <= KNOWN_SCALES[-1]:
            places = next(known_scale for known_scale in KNOWN_SCALES if scale <= known_scale)
            return self.quotient(cut_to_scale(Decimal(KNOWN_ARCTANGENTS[x]), places), sign, scale)
        digits = scale + 3
        known = self.arctangent(FIFTH, scale + 5) if x > FIFTH else ZERO
        count = 0
        while x > FIFTH:
            count += 1
            below = add(ONE, self.product(x, FIFTH, digits))
            x = self.quotient(subtract(x, FIFTH), below, digits)
        square = self.product(EXACT.minus(x), x, digits)
        total = self.odd_terms(x, square, digits)
        angle = add(self.product(Decimal(count), known, scale), total)
        return self.quotient(angle, sign, scale)

    def bessel(self, n: Decimal, x: Decimal, scale: int) -> Decimal:
        """Return j(n, x): the Bessel function of integer order n."""
        order = self.quotient(n, ONE, 0)
        is_odd = bool(self._arithmetic.remainder(order, TWO, 0))
        is_negative, order = order < 0 and is_odd, order.copy_abs()
        factorial, i = ONE, 2
        while i <= order:
            self._arithmetic.tick()
            factorial = self.product(factorial, Decimal(i), 0)
            i += 1
        digits = scale * 15 // 10
        power = self._arithmetic.power(x, order, digits)
        two = self._arithmetic.power(TWO, order, digits)
        factor = self.quotient(self.quotient(power, two, digits), factorial, digits)
        total = term = ONE
        square = self.quotient(self.product(EXACT.minus(x), x, digits), FOUR, digits)
        digits += max(size_of(factor), 1) - scale_of(factor)
        i = 0
        while True:
            self._arithmetic.tick()
            i += 1
            term = self.product(term, square, digits)
            term = self.quotient(term, Decimal(i), digits)
            term = self.quotient(term, add(order, Decimal(i)), digits)
            if not term:
                break
            total = add(total, term)
        if is_negative:
            factor = EXACT.minus(factor)
        return self.result(self.product(factor, total, scale), scale)
