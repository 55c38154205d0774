"""Number literals: `42`, `0x1f`, `2#101` as they are written in an expression."""

from __future__ import annotations

from keysh.compile.arithmetic.operators import call_operator, require_in_range
from keysh.compile.arithmetic.variables import not_a_number_problem
from keysh.compile.arithmetic.wrapping import to_int64
from keysh.interp.variables.arithmetic_messages import bad_number_in_bash
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.text.shell_numbers import MAX_INT64, MIN_INT64, parse_bash_integer, parse_shell_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.arithmetic.variables import NumberReader
    from keysh.compile.context import CompileContext
    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.state.state import State


def literal_number(node: ast.Arithmetic, dialect: Dialect) -> int | float | None:
    """The value of an operand that is a literal number, with its sign; else None."""
    if isinstance(node, ast.Parentheses):
        return literal_number(node.expression, dialect)
    if isinstance(node, ast.Unary) and set(node.operators) <= {"-", "+"}:
        number = unchecked_literal_number(node.operand, dialect)
        if number is not None and node.operators.count("-") % 2:
            number = -number
    else:
        number = unchecked_literal_number(node, dialect)
    return number if number is not None and MIN_INT64 <= number <= MAX_INT64 else None


def unchecked_literal_number(node: ast.Arithmetic, dialect: Dialect) -> int | float | None:
    if isinstance(node, ast.Number):
        text: str | None = node.text
    else:
        text = constant_text(node) if isinstance(node, ast.Word) else None
    if text is None:
        return None
    if not dialect.evaluates_text:
        return parse_shell_number(text)
    number = parse_bash_integer(text)
    return None if number is None else to_int64(number)


def number_literal(node: ast.Number, context: CompileContext) -> NumberReader:
    """`42`; a malformed literal such as `08` or `2#3` fails when it is evaluated."""
    dialect = context.source.dialect
    known, number = literal_number(node, dialect), unchecked_literal_number(node, dialect)
    if known is not None:
        return lambda state: known

    def refuse(state: State) -> int | float:
        if number is None and dialect.evaluates_text:
            raise bad_number_in_bash(node.text).with_location(node)
        if number is None:
            raise not_a_number_problem(node.text, "").with_location(node)
        return call_operator(require_in_range, number, node.text, node=node)

    return refuse
