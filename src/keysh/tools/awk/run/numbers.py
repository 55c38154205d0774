"""awk's functions of numbers, called by generated code."""

from __future__ import annotations

import math

from keysh.tools.awk.parse.problem import AwkFatal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Warn: TypeAlias = Callable[[str], None]

NAN, INFINITY = float("nan"), float("inf")
MAX_INTEGER_EXPONENT = 2.0**63


def divide(left: float, right: float) -> float:
    """Return x / y."""
    if right == 0.0:
        raise AwkFatal("division by zero attempted")
    return left / right


def modulo(left: float, right: float) -> float:
    """Return x % y, with the sign of x."""
    if right == 0.0:
        raise AwkFatal("division by zero attempted in `%'")
    try:
        return math.fmod(left, right)
    except ValueError:
        return -NAN


def power(left: float, right: float) -> float:
    """Return x ^ y. Integer powers multiply as gawk does, so that the last digits agree."""
    if right.is_integer() and abs(right) < MAX_INTEGER_EXPONENT:
        result = integer_power(left, int(abs(right)))
        return result if right >= 0 else 1.0 / result if result else math.copysign(INFINITY, result)
    try:
        return math.pow(left, right)
    except OverflowError:
        return INFINITY
    except ValueError:
        return INFINITY if left == 0 else -NAN


def integer_power(base: float, count: int) -> float:
    """Return an integer power by repeated squaring."""
    result = 1.0
    while count:
        if count & 1:
            result *= base
        base *= base
        count >>= 1
    return result


def integer_part(number: float) -> float:
    """Return int(x)."""
    return float(math.trunc(number)) if math.isfinite(number) else number


def exit_status(number: float) -> int:
    """Return the exit status for a number: its low eight bits."""
    return int(number) & 255 if math.isfinite(number) else 0


def root(warn: Warn, number: float) -> float:
    if number < 0:
        warn(f"sqrt: received negative argument {number:.6g}")
        return -NAN
    return math.sqrt(number)


def logarithm(warn: Warn, number: float) -> float:
    if number > 0:
        return math.log(number)
    if number < 0:
        warn(f"log: received negative argument {number:.6g}")
        return -NAN
    return -INFINITY if number == 0 else number


def exponential(warn: Warn, number: float) -> float:
    try:
        result = math.exp(number)
    except OverflowError:
        result = INFINITY
    if result in (0.0, INFINITY) and math.isfinite(number):
        warn(f"exp: argument {number:.6g} is out of range")
    return result


def sine(number: float) -> float:
    return math.sin(number) if math.isfinite(number) else -NAN


def cosine(number: float) -> float:
    return math.cos(number) if math.isfinite(number) else -NAN


def unsigned_integers(name: str, *numbers: float) -> list[int]:
    """Return numbers as unsigned 64-bit integers, or raise an error."""
    for i, number in enumerate(numbers, 1):
        if not 0 <= number < 2.0**64:
            what = (
                f"argument {i} negative value {number:.6g}"
                if len(numbers) > 1
                else "negative value"
            )
            raise AwkFatal(f"{name}: {what} is not allowed")
    return [int(number) for number in numbers]


def combine_bits(
    name: str, operation: Callable[[int, int], int], numbers: tuple[float, ...]
) -> float:
    result, *rest = unsigned_integers(name, *numbers)
    for number in rest:
        result = operation(result, number)
    return float(result)


def bit_and(*numbers: float) -> float:
    return combine_bits("and", lambda a, b: a & b, numbers)


def bit_or(*numbers: float) -> float:
    return combine_bits("or", lambda a, b: a | b, numbers)


def bit_xor(*numbers: float) -> float:
    return combine_bits("xor", lambda a, b: a ^ b, numbers)


def shift_left(number: float, count: float) -> float:
    value, places = unsigned_integers("lshift", number, count)
    return float((value << min(places, 64)) & 0xFFFFFFFFFFFFFFFF)


def shift_right(number: float, count: float) -> float:
    value, places = unsigned_integers("rshift", number, count)
    return float(value >> min(places, 64))


def complement(number: float) -> float:
    return float(unsigned_integers("compl", number)[0] ^ 0x1FFFFFFFFFFFFF)
