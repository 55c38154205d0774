"""Pairs: an operator with two operands. The shapes that loops are made of take one closure.

In those `otherwise` does the same for what is no int or does not fit; that reads the variables
again, which harms nothing.
"""

from __future__ import annotations

from keysh.compile.arithmetic.operators import FAILURES, located
from keysh.text.shell_numbers import HIGHEST, LOWEST

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.arithmetic.operators import Operator
    from keysh.compile.arithmetic.variables import Number
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def of_any(node: ast.Binary, left: Number, operate: Operator, right: Number) -> Number:
    """Any operands, from the left."""

    def operation(state: State) -> int | float:
        first = left(state)
        second = right(state)
        try:
            return operate(first, second)
        except FAILURES as failure:
            raise located(failure, node) from None

    return operation


def of_variable_and_constant(
    name: str, operate: Operator, constant: int | float, otherwise: Number
) -> Number:
    """`x + 1`."""

    def operation(state: State) -> int | float:
        found = state.variables.get(name)
        if found.__class__ is int:
            made = operate(found, constant)
            if LOWEST <= made <= HIGHEST:
                return made
        return otherwise(state)

    return operation if constant.__class__ is int else otherwise


def of_variables(name: str, operate: Operator, other: str, otherwise: Number) -> Number:
    """`x + y`."""

    def operation(state: State) -> int | float:
        variables = state.variables
        left, right = variables.get(name), variables.get(other)
        if left.__class__ is int and right.__class__ is int:
            made = operate(left, right)
            if LOWEST <= made <= HIGHEST:
                return made
        return otherwise(state)

    return operation


def variable_to_constant(
    name: str, compare: Operator, constant: int | float, otherwise: Number
) -> Number:
    """`x < 1`."""

    def comparison(state: State) -> int | float:
        found = state.variables.get(name)
        if found.__class__ is int:
            return 1 if compare(found, constant) else 0
        return otherwise(state)

    return comparison


def variable_to_variable(name: str, compare: Operator, other: str, otherwise: Number) -> Number:
    """`x < y`."""

    def comparison(state: State) -> int | float:
        variables = state.variables
        left, right = variables.get(name), variables.get(other)
        if left.__class__ is int and right.__class__ is int:
            return 1 if compare(left, right) else 0
        return otherwise(state)

    return comparison
