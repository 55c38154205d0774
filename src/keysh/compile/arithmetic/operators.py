"""Arithmetic operators on signed 64-bit integers and floats. An overflow is an error."""

from __future__ import annotations

from operator import add, eq, ge, gt, le, lt, mul, ne, sub

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.text.shell_numbers import MAX_INT64, MIN_INT64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from keysh.syntax import ast

    Operator: TypeAlias = Callable[[int | float, int | float], int | float]

INFINITY = float("inf")
MAX_SHIFT_BITS = 63
OPERATOR_ERRORS = (RuntimeDiagnostic, OverflowError)  # that an operator may raise


def range_problem(*shown: object) -> RuntimeDiagnostic:
    """E207: a result that does not fit into 64 bits."""
    return RuntimeDiagnostic(
        "E207", "out of the range of 64 bits", operation_text(shown), "a float operand, such as 1.0"
    )


def require_in_range(number: int | float, *shown: object) -> int | float:
    """Return a result that is in range; E207 for any other. `shown` is the operation."""
    if MIN_INT64 <= number <= MAX_INT64:
        return number
    if number.__class__ is int or number != number or number in (INFINITY, -INFINITY):
        raise range_problem(*shown)
    return number


def operation_text(shown: Iterable[object]) -> str:
    """Operands and the sign between them, for a message."""
    return " ".join(map(str, shown))


def range_checked_operator(operate: Operator, sign: str) -> Operator:
    """Make a Python operator refuse a result that is out of range."""

    def operation(left: int | float, right: int | float) -> int | float:
        result = operate(left, right)
        if MIN_INT64 <= result <= MAX_INT64:
            return result
        return require_in_range(result, left, sign, right)

    return operation


def comparison_operator(compare: Operator) -> Operator:
    """Make a Python comparison return 1 or 0."""
    return lambda left, right: 1 if compare(left, right) else 0


def call_operator(
    operate: Callable[..., int | float], *operands: object, node: ast.Arithmetic
) -> int | float:
    """Call an operator; an error is located at the node."""
    try:
        return operate(*operands)
    except OPERATOR_ERRORS as failure:
        raise problem_at_node(failure, node) from None


def problem_at_node(failure: Exception, node: ast.Arithmetic) -> RuntimeDiagnostic:
    """An operator's error, located. Python has no float for an int of hundreds of digits."""
    problem = (
        failure
        if isinstance(failure, RuntimeDiagnostic)
        else range_problem("an integer beyond all floats")
    )
    return problem.with_location(node)


# ---------------------------------------------------------------- division


def divide(left: int | float, right: int | float) -> int | float:
    """`/`, which truncates towards zero as in C."""
    if right == 0:
        raise zero_division_problem(left, "/", right)
    if left.__class__ is float or right.__class__ is float:
        return require_in_range(left / right, left, "/", right)
    if left >= 0 and right > 0:
        return left // right
    quotient = abs(left) // abs(right)
    return require_in_range(quotient if (left < 0) == (right < 0) else -quotient, left, "/", right)


def remainder(left: int | float, right: int | float) -> int | float:
    """`%`, which takes the sign of the dividend as in C."""
    if right == 0:
        raise zero_division_problem(left, "%", right)
    if left.__class__ is float or right.__class__ is float:
        from math import fmod  # noqa: PLC0415 - only floats need it

        return fmod(left, right)
    if left >= 0:
        return left % abs(right)
    return -(-left % abs(right))


def zero_division_problem(*shown: object) -> RuntimeDiagnostic:
    return RuntimeDiagnostic(
        "E206", "division by zero", operation_text(shown), "test the divisor first: (( d != 0 ))"
    )


def power(base: int | float, exponent: int | float) -> int | float:
    """`**`"""
    if base.__class__ is int and exponent.__class__ is int:
        if exponent < 0:
            fix = f"{base}.0 ** {exponent}"
            raise RuntimeDiagnostic("E206", "exponent less than 0", f"{base} ** {exponent}", fix)
        if exponent > MAX_SHIFT_BITS and not -1 <= base <= 1:
            raise range_problem(base, "**", exponent)  # before the memory is full
    try:
        result = base**exponent
    except OverflowError:
        raise range_problem(base, "**", exponent) from None
    except ZeroDivisionError:
        raise zero_division_problem(base, "**", exponent) from None
    if result.__class__ is complex:
        fix = "a base that is not negative"
        raise RuntimeDiagnostic("E207", "a root of a negative number", f"{base} ** {exponent}", fix)
    return require_in_range(result, base, "**", exponent)


# ---------------------------------------------------------------- bits


def bit_operator(sign: str, operate: Callable[[int, int], int]) -> Operator:
    """Make an operator on bits refuse floats."""

    def operation(left: int | float, right: int | float) -> int | float:
        if isinstance(left, int) and isinstance(right, int):
            return require_in_range(operate(left, right), left, sign, right)
        raise no_bits_problem(f"{left} {sign} {right}")

    return operation


def no_bits_problem(shown: str) -> RuntimeDiagnostic:
    fix = "whole numbers; $(printf %.0f 1.5) rounds"
    return RuntimeDiagnostic("E208", "a float has no bits", shown, fix)


def shift_left(number: int, count: int) -> int:
    if not 0 <= count <= MAX_SHIFT_BITS:
        raise shift_count_problem(f"{number} << {count}")
    result = number << count
    if MIN_INT64 <= result <= MAX_INT64:
        return result
    max_count = MAX_SHIFT_BITS - (number if number >= 0 else ~number).bit_length()
    fix = f"{number} << {max_count} at most"
    raise RuntimeDiagnostic("E207", "out of the range of 64 bits", f"{number} << {count}", fix)


def shift_right(number: int, count: int) -> int:
    if 0 <= count <= MAX_SHIFT_BITS:
        return number >> count
    raise shift_count_problem(f"{number} >> {count}")


def shift_count_problem(shown: str) -> RuntimeDiagnostic:
    """E207: the shift is undefined in C, and processors differ."""
    return RuntimeDiagnostic(
        "E207", "a shift by less than 0 or more than 63", shown, "a count from 0 to 63"
    )


# ---------------------------------------------------------------- one operand


def negate(operand: int | float) -> int | float:
    return require_in_range(-operand, "-", operand)


def invert_bits(operand: int | float) -> int | float:
    if isinstance(operand, int):
        return ~operand
    raise no_bits_problem(f"~{operand}")


# ---------------------------------------------------------------- by their signs

# Python's own operators, which the fast pairs call directly.
PYTHON_OPERATORS: dict[str, Operator] = {"+": add, "-": sub, "*": mul}
COMPARISON_OPERATORS: dict[str, Operator] = {
    "<": lt,
    "<=": le,
    ">": gt,
    ">=": ge,
    "==": eq,
    "!=": ne,
}
BINARY_OPERATORS: dict[str, Operator] = {
    **{sign: range_checked_operator(operate, sign) for sign, operate in PYTHON_OPERATORS.items()},
    **{sign: comparison_operator(compare) for sign, compare in COMPARISON_OPERATORS.items()},
    "/": divide,
    "%": remainder,
    "**": power,
    "&": bit_operator("&", lambda left, right: left & right),
    "|": bit_operator("|", lambda left, right: left | right),
    "^": bit_operator("^", lambda left, right: left ^ right),
    "<<": bit_operator("<<", shift_left),
    ">>": bit_operator(">>", shift_right),
}
UNARY_OPERATORS: dict[str, Callable[[int | float], int | float]] = {
    "-": negate,
    "+": lambda operand: operand,
    "~": invert_bits,
    "!": lambda operand: 0 if operand else 1,
}
