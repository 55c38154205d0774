"""Operators of arithmetic: signed 64 bits or floats, and never a silent wrap."""

from __future__ import annotations

from operator import add, eq, ge, gt, le, lt, mul, ne, sub

from keysh.interp.run.problem import Problem
from keysh.text.shell_numbers import HIGHEST, LOWEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from keysh.syntax import ast

    Operator: TypeAlias = Callable[[int | float, int | float], int | float]

INFINITE = float("inf")
LARGEST_SHIFT = 63
FAILURES = (Problem, OverflowError)  # what an operator may raise


def outside(*shown: object) -> Problem:
    """E207: a result that 64 bits do not hold."""
    return Problem("E207", "outside of 64 bits", written(shown), "a float operand, such as 1.0")


def fitting(found: int | float, *shown: object) -> int | float:
    """A result that is in range; `shown` is how it came about."""
    if LOWEST <= found <= HIGHEST:
        return found
    if found.__class__ is int or found != found or found in (INFINITE, -INFINITE):
        raise outside(*shown)
    return found


def written(shown: Iterable[object]) -> str:
    """Operands and the sign between them."""
    return " ".join(map(str, shown))


def checked(operate: Operator, sign: str) -> Operator:
    """An operator of Python whose result has to fit."""

    def operation(left: int | float, right: int | float) -> int | float:
        found = operate(left, right)
        return found if LOWEST <= found <= HIGHEST else fitting(found, left, sign, right)

    return operation


def claim(compare: Operator) -> Operator:
    """A comparison of Python, as 1 or 0."""
    return lambda left, right: 1 if compare(left, right) else 0


def placed(
    operate: Callable[..., int | float], *operands: object, node: ast.Arithmetic
) -> int | float:
    """What an operator gives; if it fails, where."""
    try:
        return operate(*operands)
    except FAILURES as failure:
        raise located(failure, node) from None


def located(failure: Exception, node: ast.Arithmetic) -> Problem:
    """A failure with its place; Python knows no float for an integer of hundreds of digits."""
    problem = failure if isinstance(failure, Problem) else outside("an integer beyond all floats")
    return problem.at(node)


# ---------------------------------------------------------------- division


def divided(left: int | float, right: int | float) -> int | float:
    """`/`: towards zero, as C does it."""
    if right == 0:
        raise by_zero(left, "/", right)
    if left.__class__ is float or right.__class__ is float:
        return fitting(left / right, left, "/", right)
    if left >= 0 and right > 0:
        return left // right
    found = abs(left) // abs(right)
    return fitting(found if (left < 0) == (right < 0) else -found, left, "/", right)


def remainder(left: int | float, right: int | float) -> int | float:
    """`%`: its sign is the dividend's, as in C."""
    if right == 0:
        raise by_zero(left, "%", right)
    if left.__class__ is float or right.__class__ is float:
        from math import fmod  # noqa: PLC0415 - only floats need it

        return fmod(left, right)
    if left >= 0:
        return left % abs(right)
    return -(-left % abs(right))


def by_zero(*shown: object) -> Problem:
    return Problem(
        "E206", "division by zero", written(shown), "test the divisor first: (( d != 0 ))"
    )


def power(base: int | float, exponent: int | float) -> int | float:
    """`**`."""
    if base.__class__ is int and exponent.__class__ is int:
        if exponent < 0:
            fix = f"{base}.0 ** {exponent}"
            raise Problem("E206", "exponent less than 0", f"{base} ** {exponent}", fix)
        if exponent > LARGEST_SHIFT and not -1 <= base <= 1:
            raise outside(base, "**", exponent)  # at once: the number could fill the memory
    try:
        found = base**exponent
    except OverflowError:
        raise outside(base, "**", exponent) from None
    except ZeroDivisionError:
        raise by_zero(base, "**", exponent) from None
    if found.__class__ is complex:
        fix = "a base that is not negative"
        raise Problem("E207", "a root of a negative number", f"{base} ** {exponent}", fix)
    return fitting(found, base, "**", exponent)


# ---------------------------------------------------------------- bits


def of_bits(sign: str, operate: Callable[[int, int], int]) -> Operator:
    """An operator on bits, which floats have none of."""

    def operation(left: int | float, right: int | float) -> int | float:
        if isinstance(left, int) and isinstance(right, int):
            return fitting(operate(left, right), left, sign, right)
        raise without_bits(f"{left} {sign} {right}")

    return operation


def without_bits(shown: str) -> Problem:
    fix = "whole numbers, as $(printf %.0f 1.5) makes them"
    return Problem("E208", "a float has no bits", shown, fix)


def shifted_left(number: int, count: int) -> int:
    if not 0 <= count <= LARGEST_SHIFT:
        raise miscounted(f"{number} << {count}")
    found = number << count
    if LOWEST <= found <= HIGHEST:
        return found
    most = LARGEST_SHIFT - (number if number >= 0 else ~number).bit_length()
    fix = f"{number} << {most} at the most"
    raise Problem("E207", "outside of 64 bits", f"{number} << {count}", fix)


def shifted_right(number: int, count: int) -> int:
    if 0 <= count <= LARGEST_SHIFT:
        return number >> count
    raise miscounted(f"{number} >> {count}")


def miscounted(shown: str) -> Problem:
    """C leaves open what such a shift does, and processors differ."""
    return Problem("E207", "a shift by less than 0 or more than 63", shown, "a count from 0 to 63")


# ---------------------------------------------------------------- one operand


def negated(operand: int | float) -> int | float:
    return fitting(-operand, "-", operand)


def inverted(operand: int | float) -> int | float:
    if isinstance(operand, int):
        return ~operand
    raise without_bits(f"~{operand}")


# ---------------------------------------------------------------- by their signs

# Operators of Python that are called as they stand, so that the shortest closures can do so.
PLAIN: dict[str, Operator] = {"+": add, "-": sub, "*": mul}
COMPARISONS: dict[str, Operator] = {"<": lt, "<=": le, ">": gt, ">=": ge, "==": eq, "!=": ne}
BINARY: dict[str, Operator] = {
    **{sign: checked(operate, sign) for sign, operate in PLAIN.items()},
    **{sign: claim(compare) for sign, compare in COMPARISONS.items()},
    "/": divided,
    "%": remainder,
    "**": power,
    "&": of_bits("&", lambda left, right: left & right),
    "|": of_bits("|", lambda left, right: left | right),
    "^": of_bits("^", lambda left, right: left ^ right),
    "<<": of_bits("<<", shifted_left),
    ">>": of_bits(">>", shifted_right),
}
UNARY: dict[str, Callable[[int | float], int | float]] = {
    "-": negated,
    "+": lambda operand: operand,
    "~": inverted,
    "!": lambda operand: 0 if operand else 1,
}
