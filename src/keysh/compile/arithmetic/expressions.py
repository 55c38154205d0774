"""Arithmetic: expressions of `((…))`, `$((…))`, `for ((…))` and slices become closures.

Each returns an int of 64 bits or a float. What loops are made of, a variable beside a constant or
another variable, takes one closure; chains of operators are loops, so that no length of one is too
deep.
"""

from __future__ import annotations

from keysh.compile.arithmetic.fast_pairs import (
    of_any,
    of_variable_and_constant,
    of_variables,
    variable_to_constant,
    variable_to_variable,
)
from keysh.compile.arithmetic.operators import (
    BINARY,
    COMPARISONS,
    FAILURES,
    PLAIN,
    UNARY,
    fitting,
    located,
    placed,
)
from keysh.compile.arithmetic.stale_reads import refusal, stale
from keysh.compile.arithmetic.variables import (
    Cell,
    not_a_number,
    number_from,
    plain_name,
    plain_number,
)
from keysh.interp.run.problem import Problem
from keysh.syntax import ast
from keysh.syntax.constants import constant
from keysh.text.shell_numbers import HIGHEST, LOWEST, number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.compile.arithmetic.variables import Number
    from keysh.compile.context import Context
    from keysh.interp.state.state import State


def arithmetic(node: ast.Arithmetic | None, context: Context) -> Number:
    """A whole expression; an empty one is 0."""
    if node is None:
        return lambda state: 0
    compute = expression(node, context)
    if not isinstance(node, ast.Reference | ast.Word):
        expanded = stale(node)
        return compute if expanded is None else refusal(expanded)

    def in_range(state: State) -> int | float:
        found = compute(state)
        if LOWEST <= found <= HIGHEST:
            return found
        return placed(fitting, found, found, node=node)

    return in_range


def expression(node: ast.Arithmetic, context: Context) -> Number:
    """A part of an expression."""
    return FORMS[node.__class__](node, context)


# ---------------------------------------------------------------- operands


def literal(node: ast.Arithmetic) -> int | float | None:
    """The number that an operand is known to be, its sign included."""
    if isinstance(node, ast.Parentheses):
        return literal(node.expression)
    if isinstance(node, ast.Unary) and set(node.operators) <= {"-", "+"}:
        found = unchecked_literal(node.operand)
        if found is not None and node.operators.count("-") % 2:
            found = -found
    else:
        found = unchecked_literal(node)
    return found if found is not None and LOWEST <= found <= HIGHEST else None


def unchecked_literal(node: ast.Arithmetic) -> int | float | None:
    if isinstance(node, ast.Number):
        return number_of(node.text)
    text = constant(node) if isinstance(node, ast.Word) else None
    return None if text is None else number_of(text)


def number(node: ast.Number, context: Context) -> Number:
    """`42`; what is none, such as `08` or `2#3`, fails where it is reached."""
    known = literal(node)
    if known is not None:
        return lambda state: known
    found = number_of(node.text)

    def refuse(state: State) -> int | float:
        if found is None:
            raise not_a_number(node.text, "").at(node)
        return placed(fitting, found, node.text, node=node)

    return refuse


def reference(node: ast.Reference, context: Context) -> Number:
    """`x`, `xs[i]`."""
    return Cell(node, context).number()


def word(node: ast.Word, context: Context) -> Number:
    """`$x`, `$(…)`, `"1"`: expanded, and then it has to be one number."""
    known = literal(node)
    if known is not None:
        return lambda state: known
    part = node.parts[0] if len(node.parts) == 1 else None
    name = plain_name(node, context)
    if isinstance(part, ast.Variable) and name is not None:
        return plain_number(part, name)
    if isinstance(part, ast.ArithmeticExpansion):
        return arithmetic(part.expression, context)
    shown = ""
    if isinstance(part, ast.Variable) and part.name not in ("@", "*"):
        shown, value = f"${part.name}", context.part(part)
    elif isinstance(part, ast.Length):
        value = context.part(part)
    else:
        value = context.text(node)

    def expanded(state: State) -> int | float:
        found = value(state)
        return found if found.__class__ is int else number_from(found, shown, node)

    return expanded


def parentheses(node: ast.Parentheses, context: Context) -> Number:
    """`( a )`."""
    return expression(node.expression, context)


# ---------------------------------------------------------------- two operands


def binary(node: ast.Binary, context: Context) -> Number:
    """Operands of one level."""
    if node.operators[0] in ("&&", "||"):
        return logic(node, context)
    first = pair(node, context)
    if len(node.operators) == 1:
        return first
    rest = [
        (BINARY[sign], expression(operand, context))
        for sign, operand in zip(node.operators[1:], node.operands[2:], strict=True)
    ]

    def chain(state: State) -> int | float:
        found = first(state)
        for operate, operand in rest:
            right = operand(state)
            try:
                found = operate(found, right)
            except FAILURES as failure:
                raise located(failure, node) from None
        return found

    return chain


def pair(node: ast.Binary, context: Context) -> Number:
    """The first two operands of a level."""
    sign, left, right = node.operators[0], node.operands[0], node.operands[1]
    operation = of_any(node, expression(left, context), BINARY[sign], expression(right, context))
    name, other, known = plain_name(left, context), plain_name(right, context), literal(right)
    if sign in PLAIN and name is not None:
        if known is not None:
            return of_variable_and_constant(name, PLAIN[sign], known, operation)
        if other is not None:
            return of_variables(name, PLAIN[sign], other, operation)
    elif sign in COMPARISONS and name is not None:
        if known is not None:
            return variable_to_constant(name, COMPARISONS[sign], known, operation)
        if other is not None:
            return variable_to_variable(name, COMPARISONS[sign], other, operation)
    return operation


# ---------------------------------------------------------------- other operators


def logic(node: ast.Binary, context: Context) -> Number:
    """`a && b`, `a || b`: no further than is needed."""
    operands = [expression(operand, context) for operand in node.operands]
    stops = node.operators[0] == "||"

    def decide(state: State) -> int | float:
        for operand in operands:
            if (operand(state) != 0) is stops:
                return 1 if stops else 0
        return 0 if stops else 1

    return decide


def raised(node: ast.Power, context: Context) -> Number:
    """`a ** b ** c`."""
    operands = [expression(operand, context) for operand in node.operands]
    operate = BINARY["**"]

    def power(state: State) -> int | float:
        numbers = [operand(state) for operand in operands]
        found = numbers.pop()
        try:
            while numbers:
                found = operate(numbers.pop(), found)
        except FAILURES as failure:
            raise located(failure, node) from None
        return found

    return power


def unary(node: ast.Unary, context: Context) -> Number:
    """`- ! x`."""
    known = literal(node)
    if known is not None:
        return lambda state: known
    operand = expression(node.operand, context)
    operators = [UNARY[sign] for sign in reversed(node.operators)]

    def signed(state: State) -> int | float:
        found = operand(state)
        try:
            for operate in operators:
                found = operate(found)
        except FAILURES as failure:
            raise located(failure, node) from None
        return found

    return signed


def conditional(node: ast.Conditional, context: Context) -> Number:
    """`a ? b : c`."""
    choices = [
        (expression(choice.condition, context), expression(choice.then, context))
        for choice in node.choices
    ]
    otherwise = expression(node.otherwise, context)

    def choose(state: State) -> int | float:
        for condition, then in choices:
            if condition(state):
                return then(state)
        return otherwise(state)

    return choose


def sequence(node: ast.Sequence, context: Context) -> Number:
    """`a, b`: all are computed, the last is what comes out."""
    expressions = [expression(item, context) for item in node.expressions]

    def last(state: State) -> int | float:
        found: int | float = 0
        for compute in expressions:
            found = compute(state)
        return found

    return last


# ---------------------------------------------------------------- assignments


def step(node: ast.Step, context: Context) -> Number:
    """`++x`, `x--`."""
    cell = Cell(node.reference, context)
    operate, is_after = BINARY[node.operator[0]], not node.before

    def general(state: State) -> int | float:
        keys = cell.settle(state)
        before = cell.read(state, keys)
        made = placed(operate, before, 1, node=node)
        cell.write(state, keys, made)
        return before if is_after else made

    name = plain_name(node.reference, context)
    if name is None:
        return general
    amount = 1 if node.operator == "++" else -1

    def quick(state: State) -> int | float:
        variables = state.variables
        found = variables.get(name)
        if found.__class__ is int and name not in state.attributes:
            made = found + amount
            if LOWEST <= made <= HIGHEST:
                variables[name] = made
                return found if is_after else made
        return general(state)

    return quick


def assignments(node: ast.Assignments, context: Context) -> Number:
    """`x = y += value`: what is changed is read from the left, and set from the right."""
    value = expression(node.value, context)
    if len(node.targets) == 1:
        name = plain_name(node.targets[0].reference, context)
        sign = node.targets[0].operator[:-1]
        if name is not None and (not sign or sign in PLAIN):
            return quick_assignment(node, name, sign, value)
    targets = [
        (Cell(target.reference, context), BINARY.get(target.operator[:-1]))
        for target in node.targets
    ]

    def assign(state: State) -> int | float:
        waiting = []
        for cell, operate in targets:
            keys = cell.settle(state) if operate else cell.keys(state)
            before = cell.read(state, keys) if operate else 0
            waiting.append((cell, operate, keys, before))
        made = value(state)
        while waiting:
            cell, operate, keys, before = waiting.pop()
            if operate:
                made = placed(operate, before, made, node=node)
            cell.write(state, keys, made)
        return made

    return assign


def quick_assignment(node: ast.Assignments, name: str, sign: str, value: Number) -> Number:
    """`x = value`, `x += value`."""
    target = node.targets[0].reference
    if not sign:

        def assign(state: State) -> int | float:
            made = value(state)
            if name in state.attributes:
                assign_demanding(state, name, made, target)
            else:
                state.variables[name] = made
            return made

        return assign
    read, operate, checked = plain_number(target, name), PLAIN[sign], BINARY[sign]

    def change(state: State) -> int | float:
        before = read(state)
        operand = value(state)
        try:
            made = operate(before, operand)
        except OverflowError as failure:
            raise located(failure, node) from None
        if not LOWEST <= made <= HIGHEST:
            made = placed(checked, before, operand, node=node)
        if name in state.attributes:
            assign_demanding(state, name, made, target)
        else:
            state.variables[name] = made
        return made

    return change


def assign_demanding(state: State, name: str, made: int | float, target: ast.Reference) -> None:
    """Set a variable that has attributes, such as one that is readonly."""
    try:
        state.assign(name, made)
    except Problem as problem:
        raise problem.at(target) from None


FORMS: dict[type, Callable[..., Number]] = {
    ast.Number: number,
    ast.Word: word,
    ast.Reference: reference,
    ast.Binary: binary,
    ast.Power: raised,
    ast.Unary: unary,
    ast.Step: step,
    ast.Assignments: assignments,
    ast.Conditional: conditional,
    ast.Sequence: sequence,
    ast.Parentheses: parentheses,
}
