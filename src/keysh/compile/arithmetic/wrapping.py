"""Operators of the bash dialect: 64 bits that wrap around, as the processor's do; no floats."""

from __future__ import annotations

from keysh.compile.arithmetic.operators import (
    BINARY_OPERATORS,
    COMPARISON_OPERATORS,
    MAX_SHIFT_BITS,
    PYTHON_OPERATORS,
    UNARY_OPERATORS,
    divide,
)
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.text.shell_numbers import MAX_INT64, MIN_INT64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.compile.arithmetic.operators import Operator

INT64_COUNT = 1 << 64


def to_int64(number: int | float) -> int:
    """Return a number as 64 bits hold it."""
    assert isinstance(number, int)
    if MIN_INT64 <= number <= MAX_INT64:
        return number
    return (number - MIN_INT64) % INT64_COUNT + MIN_INT64


def wrapping_operator(operate: Operator) -> Operator:
    """Make a Python operator wrap around."""
    return lambda left, right: to_int64(operate(left, right))


def wrapping_divide(left: int | float, right: int | float) -> int | float:
    """`/`; the least number divided by -1 is itself"""
    return left if right == -1 and left == MIN_INT64 else divide(left, right)


def wrapping_power(base: int | float, exponent: int | float) -> int | float:
    """`**`"""
    if exponent < 0:
        raise RuntimeDiagnostic("E206", "exponent less than 0", f"{base} ** {exponent}")
    return to_int64(pow(int(base), int(exponent), INT64_COUNT))


def shift_left(number: int | float, count: int | float) -> int | float:
    """`<<`, which counts modulo 64"""
    return to_int64(int(number) << (int(count) & MAX_SHIFT_BITS))


def shift_right(number: int | float, count: int | float) -> int | float:
    """`>>`"""
    return int(number) >> (int(count) & MAX_SHIFT_BITS)


WRAPPING_BINARY_OPERATORS: dict[str, Operator] = {
    **BINARY_OPERATORS,
    **{sign: wrapping_operator(operate) for sign, operate in PYTHON_OPERATORS.items()},
    "/": wrapping_divide,
    "**": wrapping_power,
    "<<": shift_left,
    ">>": shift_right,
}
WRAPPING_UNARY_OPERATORS: dict[str, Callable[[int | float], int | float]] = {
    **UNARY_OPERATORS,
    "-": lambda operand: to_int64(-operand),
}
COMPARISONS_BY_TEST = {
    "-eq": COMPARISON_OPERATORS["=="],
    "-ne": COMPARISON_OPERATORS["!="],
    "-lt": COMPARISON_OPERATORS["<"],
    "-le": COMPARISON_OPERATORS["<="],
    "-gt": COMPARISON_OPERATORS[">"],
    "-ge": COMPARISON_OPERATORS[">="],
}
