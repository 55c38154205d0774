"""Functions of numbers: those of C's <math.h>."""

from __future__ import annotations

import math

from keysh.tools.jq.values.arithmetic import negate
from keysh.tools.jq.values.number import NAN, as_float, int_if_exact
from keysh.tools.jq.values.value import error_about, is_less, is_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.jq.values.value import Value

INFINITY = math.inf


def number_function(function: Callable[..., float]) -> Callable[..., Value]:
    """Wrap a function of numbers: check the types, and handle domain errors as C does."""

    def call(_: Value, *numbers: Value) -> Value:
        for number in numbers:
            if not is_number(number):
                raise error_about(number, "number required")
        floats = [as_float(number) for number in numbers]
        try:
            return whole_if_finite(function(*floats))
        except ValueError:
            return domain_error_result(function, floats)
        except OverflowError:
            return overflow_result(function, floats)

    return call


def input_function(function: Callable[[float], float]) -> Callable[[Value], Value]:
    """Wrap a function of the input, which must be a number."""
    call = number_function(function)
    return lambda value: call(value, value)


def whole_if_finite(result: float) -> Value:
    return int_if_exact(result) if math.isfinite(result) else result


def domain_error_result(function: Callable[..., float], numbers: list[float]) -> float:
    """Return what C does where Python raises ValueError: infinity at a pole, else nan."""
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


def overflow_result(function: Callable[..., float], numbers: list[float]) -> float:
    """Return infinity with the sign of the result."""
    is_odd = function is math.pow and numbers[0] < 0 and numbers[1] % 2 == 1
    is_negative = function in (math.sinh, scale_by_power, scale_by_whole_power) and numbers[0] < 0
    return -INFINITY if is_odd or is_negative else INFINITY


def round_half_away(number: float) -> float:
    """Round to the nearest integer, halves away from 0."""
    if not math.isfinite(number):
        return number
    size = abs(number)
    whole = math.floor(size)
    return math.copysign(whole + (size - whole >= 0.5), number)


def round_half_even(number: float) -> float:
    """Round to the nearest integer, halves to even."""
    return math.copysign(round(number), number) if math.isfinite(number) else number


def truncate_number(number: float) -> float:
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


def power_of_ten(number: float) -> float:
    return math.pow(10, number)


def scale_by_power(number: float, power: float) -> float:
    """`ldexp`, `scalb`, `scalbln`"""
    if number != number or power != power:
        return NAN
    return math.ldexp(number, int(min(max(power, -5000), 5000)))


def scale_by_whole_power(number: float, power: float) -> float:
    """`scalb`: nan if the exponent is not an integer."""
    return NAN if math.isfinite(power) and power % 1 else scale_by_power(number, power)


def minimum(left: float, right: float) -> float:
    """`fmin`: ignores a nan."""
    if left != left or right != right:
        return left if right != right else right
    return min(left, right)


def maximum(left: float, right: float) -> float:
    """`fmax`"""
    if left != left or right != right:
        return left if right != right else right
    return max(left, right)


def positive_difference(left: float, right: float) -> float:
    """`fdim`"""
    return left - right if not left <= right else 0.0


def ieee_remainder(left: float, right: float) -> float:
    """`drem`"""
    return math.remainder(left, right) if right else NAN


def cube_root(number: float) -> float:
    return math.cbrt(number)


def log_gamma_parts(value: Value) -> Value:
    """`lgamma_r`: the logarithm and the sign of the gamma function."""
    number = require_number(value)
    is_negative = number < 0 and math.floor(number) % 2 == 1
    return [input_function(math.lgamma)(number), -1 if is_negative else 1]


def split_exponent(value: Value) -> Value:
    """`frexp`"""
    number = require_number(value)
    if not math.isfinite(number):
        return [number, 0]
    fraction, power = math.frexp(number)
    return [int_if_exact(fraction), power]


def split_fraction(value: Value) -> Value:
    """`modf`"""
    number = require_number(value)
    if math.isinf(number):
        return [math.copysign(0.0, number), number]
    fraction, integer = math.modf(number)
    return [whole_if_finite(fraction), whole_if_finite(integer)]


def require_number(value: Value) -> float:
    if not is_number(value):
        raise error_about(value, "number required")
    return as_float(value)


def absolute_value(value: Value) -> Value:
    """`abs`: a value that is not less than 0 is returned unchanged, even if it is no number."""
    if is_number(value):
        return negate(value) if value < 0 else value
    if is_less(value, 0):
        raise error_about(value, "cannot be negated")
    return value


def is_infinite(value: Value) -> Value:
    return is_number(value) and math.isinf(as_float(value))


def is_nan(value: Value) -> Value:
    return is_number(value) and value != value


def is_normal(value: Value) -> Value:
    number = abs(as_float(value)) if is_number(value) else 0.0
    return math.isfinite(number) and number >= 2.2250738585072014e-308


def fused_multiply_add(left: float, right: float, addend: float) -> float:
    """`fma`"""
    if not (math.isfinite(left) and math.isfinite(right) and math.isfinite(addend)):
        return left * right + addend
    from fractions import Fraction  # noqa: PLC0415 - slow to load, and seldom wanted

    exact = Fraction(left) * Fraction(right) + Fraction(addend)
    try:
        return float(exact)
    except OverflowError:
        return INFINITY if exact > 0 else -INFINITY


UNARY_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "acos": math.acos, "acosh": math.acosh, "asin": math.asin, "asinh": math.asinh,
    "atan": math.atan, "atanh": math.atanh, "cbrt": cube_root, "ceil": ceiling, "cos": math.cos,
    "cosh": math.cosh, "erf": math.erf, "erfc": math.erfc, "exp": math.exp, "exp10": power_of_ten,
    "exp2": math.exp2, "expm1": math.expm1, "fabs": abs, "floor": floor, "gamma": math.lgamma,
    "lgamma": math.lgamma, "log": math.log, "log10": math.log10, "log1p": math.log1p,
    "log2": math.log2, "logb": exponent, "nearbyint": round_half_even, "pow10": power_of_ten,
    "rint": round_half_even,
    "round": round_half_away, "significand": significand, "sin": math.sin, "sinh": math.sinh,
    "sqrt": math.sqrt, "tan": math.tan, "tanh": math.tanh, "tgamma": math.gamma,
    "trunc": truncate_number,
}  # fmt: skip
MULTI_ARGUMENT_FUNCTIONS: dict[str, Callable[..., float]] = {
    "atan2/2": math.atan2, "copysign/2": math.copysign, "drem/2": ieee_remainder,
    "fdim/2": positive_difference, "fma/3": fused_multiply_add, "fmax/2": maximum,
    "fmin/2": minimum,
    "fmod/2": math.fmod, "hypot/2": math.hypot, "ldexp/2": scale_by_power,
    "nextafter/2": math.nextafter,
    "nexttoward/2": math.nextafter, "pow/2": math.pow, "remainder/2": ieee_remainder,
    "scalb/2": scale_by_whole_power, "scalbln/2": scale_by_power,
}  # fmt: skip
NUMERIC_FUNCTIONS: dict[str, Callable[..., Value]] = {
    **{f"{name}/0": input_function(function) for name, function in UNARY_FUNCTIONS.items()},
    **{name: number_function(function) for name, function in MULTI_ARGUMENT_FUNCTIONS.items()},
    "abs/0": absolute_value, "frexp/0": split_exponent, "isinfinite/0": is_infinite,
    "isnan/0": is_nan,
    "isnormal/0": is_normal, "lgamma_r/0": log_gamma_parts, "modf/0": split_fraction,
}  # fmt: skip
