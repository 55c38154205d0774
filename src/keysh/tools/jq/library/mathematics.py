"""Functions of numbers: those of C's <math.h> that Python has, or that are made from these."""

from __future__ import annotations

import math

from keysh.tools.jq.values.arithmetic import negative
from keysh.tools.jq.values.number import NAN, as_float, whole
from keysh.tools.jq.values.value import is_less, is_number, wrong

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.values.value import Value

INFINITY = math.inf


def of_number(function: Callable[..., float]) -> Callable[..., Value]:
    """A function that takes numbers only; where it has no value the result is nan."""

    def call(_: Value, *numbers: Value) -> Value:
        for number in numbers:
            if not is_number(number):
                raise wrong(number, "number required")
        floats = [as_float(number) for number in numbers]
        try:
            return whole_or_not(function(*floats))
        except ValueError:
            return at_pole(function, floats)
        except OverflowError:
            return overflow(function, floats)

    return call


def of_input(function: Callable[[float], float]) -> Callable[[Value], Value]:
    """A function of the input alone, which must be a number."""
    call = of_number(function)
    return lambda value: call(value, value)


def whole_or_not(result: float) -> Value:
    return whole(result) if math.isfinite(result) else result


def at_pole(function: Callable[..., float], numbers: list[float]) -> float:
    """What C gives where Python refuses: infinity at a pole, else nan."""
    if function in POLES and numbers[-1] == POLES[function]:
        return -INFINITY
    if function is math.atanh and abs(numbers[0]) == 1:
        return math.copysign(INFINITY, numbers[0])
    if function in (math.gamma, math.lgamma) and numbers[0] == math.floor(numbers[0]):
        return INFINITY if function is math.lgamma or not numbers[0] else NAN
    if function is math.pow and numbers[0] == 0:
        return INFINITY
    return NAN


POLES: dict[Callable[..., float], float] = {
    math.log: 0, math.log2: 0, math.log10: 0, math.log1p: -1,
}  # fmt: skip


def overflow(function: Callable[..., float], numbers: list[float]) -> float:
    """Infinity, with the sign that the result would have."""
    is_odd = function is math.pow and numbers[0] < 0 and numbers[1] % 2 == 1
    is_negative = function in (math.sinh, scaled, scaled_by_whole) and numbers[0] < 0
    return -INFINITY if is_odd or is_negative else INFINITY


def rounded(number: float) -> float:
    """The nearest whole number, halves away from 0."""
    if not math.isfinite(number):
        return number
    size = abs(number)
    whole = math.floor(size)
    return math.copysign(whole + (size - whole >= 0.5), number)


def nearest(number: float) -> float:
    """The nearest whole number, halves to the even one."""
    return math.copysign(round(number), number) if math.isfinite(number) else number


def truncated(number: float) -> float:
    return math.copysign(math.trunc(number), number) if math.isfinite(number) else number


def floor(number: float) -> float:
    return math.copysign(math.floor(number), number) if math.isfinite(number) else number


def ceiling(number: float) -> float:
    return math.copysign(math.ceil(number), number) if math.isfinite(number) else number


def exponent(number: float) -> float:
    """`logb`"""
    if not math.isfinite(number):
        return abs(number)
    return math.frexp(number)[1] - 1 if number else -INFINITY


def significand(number: float) -> float:
    if not math.isfinite(number) or not number:
        return number
    return math.frexp(number)[0] * 2


def ten_to(number: float) -> float:
    return math.pow(10, number)


def scaled(number: float, power: float) -> float:
    """`ldexp`, `scalb`, `scalbln`"""
    if number != number or power != power:
        return NAN
    return math.ldexp(number, int(min(max(power, -5000), 5000)))


def scaled_by_whole(number: float, power: float) -> float:
    """`scalb`: there is no power that is no whole number."""
    return NAN if math.isfinite(power) and power % 1 else scaled(number, power)


def least(one: float, other: float) -> float:
    """`fmin`: nan counts as missing."""
    if one != one or other != other:
        return one if other != other else other
    return min(one, other)


def greatest(one: float, other: float) -> float:
    """`fmax`"""
    if one != one or other != other:
        return one if other != other else other
    return max(one, other)


def difference(one: float, other: float) -> float:
    """`fdim`"""
    return one - other if not one <= other else 0.0


def ieee_remainder(one: float, other: float) -> float:
    """`drem`"""
    return math.remainder(one, other) if other else NAN


def cube_root(number: float) -> float:
    return math.cbrt(number)


def log_gamma_parts(value: Value) -> Value:
    """`lgamma_r`: the logarithm, and the sign."""
    number = required(value)
    is_negative = number < 0 and math.floor(number) % 2 == 1
    return [of_input(math.lgamma)(number), -1 if is_negative else 1]


def parts_of_two(value: Value) -> Value:
    """`frexp`"""
    number = required(value)
    if not math.isfinite(number):
        return [number, 0]
    fraction, power = math.frexp(number)
    return [whole(fraction), power]


def fraction_and_whole(value: Value) -> Value:
    """`modf`"""
    number = required(value)
    if math.isinf(number):
        return [math.copysign(0.0, number), number]
    fraction, integer = math.modf(number)
    return [whole_or_not(fraction), whole_or_not(integer)]


def required(value: Value) -> float:
    if not is_number(value):
        raise wrong(value, "number required")
    return as_float(value)


def absolute(value: Value) -> Value:
    """`abs`: what is not less than 0 stays as it is, whatever it is."""
    if is_number(value):
        return negative(value) if value < 0 else value
    if is_less(value, 0):
        raise wrong(value, "cannot be negated")
    return value


def is_infinite(value: Value) -> Value:
    return is_number(value) and math.isinf(as_float(value))


def is_nan(value: Value) -> Value:
    return is_number(value) and value != value


def is_normal(value: Value) -> Value:
    number = abs(as_float(value)) if is_number(value) else 0.0
    return math.isfinite(number) and number >= 2.2250738585072014e-308


def fused(one: float, other: float, third: float) -> float:
    """`fma`"""
    if not (math.isfinite(one) and math.isfinite(other) and math.isfinite(third)):
        return one * other + third
    from fractions import Fraction  # noqa: PLC0415 - slow to load, and seldom wanted

    exact = Fraction(one) * Fraction(other) + Fraction(third)
    try:
        return float(exact)
    except OverflowError:
        return INFINITY if exact > 0 else -INFINITY


ONE: dict[str, Callable[[float], float]] = {
    "acos": math.acos, "acosh": math.acosh, "asin": math.asin, "asinh": math.asinh,
    "atan": math.atan, "atanh": math.atanh, "cbrt": cube_root, "ceil": ceiling, "cos": math.cos,
    "cosh": math.cosh, "erf": math.erf, "erfc": math.erfc, "exp": math.exp, "exp10": ten_to,
    "exp2": math.exp2, "expm1": math.expm1, "fabs": abs, "floor": floor, "gamma": math.lgamma,
    "lgamma": math.lgamma, "log": math.log, "log10": math.log10, "log1p": math.log1p,
    "log2": math.log2, "logb": exponent, "nearbyint": nearest, "pow10": ten_to, "rint": nearest,
    "round": rounded, "significand": significand, "sin": math.sin, "sinh": math.sinh,
    "sqrt": math.sqrt, "tan": math.tan, "tanh": math.tanh, "tgamma": math.gamma,
    "trunc": truncated,
}  # fmt: skip
SEVERAL: dict[str, Callable[..., float]] = {
    "atan2/2": math.atan2, "copysign/2": math.copysign, "drem/2": ieee_remainder,
    "fdim/2": difference, "fma/3": fused, "fmax/2": greatest, "fmin/2": least,
    "fmod/2": math.fmod, "hypot/2": math.hypot, "ldexp/2": scaled, "nextafter/2": math.nextafter,
    "nexttoward/2": math.nextafter, "pow/2": math.pow, "remainder/2": ieee_remainder,
    "scalb/2": scaled_by_whole, "scalbln/2": scaled,
}  # fmt: skip
NUMERIC: dict[str, Callable[..., Value]] = {
    **{f"{name}/0": of_input(function) for name, function in ONE.items()},
    **{name: of_number(function) for name, function in SEVERAL.items()},
    "abs/0": absolute, "frexp/0": parts_of_two, "isinfinite/0": is_infinite, "isnan/0": is_nan,
    "isnormal/0": is_normal, "lgamma_r/0": log_gamma_parts, "modf/0": fraction_and_whole,
}  # fmt: skip
