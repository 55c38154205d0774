"""Builders of values, conditions and arithmetic."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.builders.words import without_tokens

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.syntax.lexer.cursor import Token


# ---------------------------------------------------------------- values


def list_(opener: Token, *rest: Any) -> ast.List:
    """`[a, b]`."""
    elements = without_tokens(rest[0]) if len(rest) > 1 else []
    return ast.List(opener[2], rest[-1][3], elements)


def record(opener: Token, *rest: Any) -> ast.Record:
    """`{a: 1}`."""
    pairs = without_tokens(rest[0]) if len(rest) > 1 else []
    return ast.Record(opener[2], rest[-1][3], pairs)


def pair(key: Any, colon: Token, value: Any) -> ast.Pair:
    """`key: value`."""
    return ast.Pair(key.start, value.end, key, value)


def array(opener: Token, *rest: Any) -> ast.Array:
    """`(a b)`."""
    return ast.Array(opener[2], rest[-1][3], rest[0] if len(rest) > 1 else [])


def entry(subscript: Any, operator: Token, word: Any) -> ast.Entry:
    """`[key]=value`."""
    return ast.Entry(subscript.start, word.end, subscript, operator[1] == "+=", word)


def entry_nothing(subscript: Any, operator: Token) -> ast.Entry:
    """`[key]=`."""
    return ast.Entry(subscript.start, operator[3], subscript, operator[1] == "+=", None)


# ---------------------------------------------------------------- [[ … ]]


def test(opener: Token, expression: Any, closer: Token) -> ast.Test:
    """`[[ … ]]`."""
    return ast.Test(opener[2], closer[3], expression)


def t_chain(left: Any, operator: Token, right: Any) -> ast.TestChain:
    """`a && b`, `a || b`: one node for each operator."""
    if left.__class__ is ast.TestChain and left.operator == operator[1]:
        left.terms.append(right)
        left.end = right.end
        return left
    return ast.TestChain(left.start, right.end, operator[1], [left, right])


def t_negation(bang: Token, term: Any) -> ast.TestNot:
    """`! term`."""
    if term.__class__ is ast.TestNot:
        term.count += 1
        term.start = bang[2]
        return term
    return ast.TestNot(bang[2], term.end, 1, term)


def t_word(word: Any) -> Any:
    """A word, true when it is not empty."""
    return word


def t_unary(operator: Token, operand: Any) -> ast.TestUnary:
    """`-f word`."""
    return ast.TestUnary(operator[2], operand.end, operator[1], operand)


def t_binary(left: Any, operator: Token, right: Any) -> ast.TestBinary:
    """`word == word`."""
    return ast.TestBinary(left.start, right.end, left, operator[1], right)


def t_in(left: Any, operator: Token, right: Any) -> ast.TestIn:
    """`word in value`."""
    return ast.TestIn(left.start, right.end, left, operator[1], right)


def t_group(opener: Token, expression: Any, closer: Token) -> ast.TestGroup:
    """`( expression )`."""
    return ast.TestGroup(opener[2], closer[3], expression)


# ---------------------------------------------------------------- arithmetic


LEVELS = {
    "||": 1, "&&": 2, "|": 3, "^": 4, "&": 5, "==": 6, "!=": 6, "<": 7, ">": 7, "<=": 7, ">=": 7,
    "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "%": 10,
}  # fmt: skip


def arithmetic_command(opener: Token, *rest: Any) -> ast.ArithmeticCommand:
    """`(( … ))`."""
    return ast.ArithmeticCommand(opener[2], rest[-1][3], rest[0] if len(rest) > 1 else None)


def a_sequence(left: Any, comma: Token, right: Any) -> ast.Sequence:
    """`a, b`."""
    if left.__class__ is ast.Sequence:
        left.expressions.append(right)
        left.end = right.end
        return left
    return ast.Sequence(left.start, right.end, [left, right])


def a_target(source: ast.Reference, operator: Token) -> ast.Target:
    """`x +=`."""
    return ast.Target(source.start, operator[3], source, operator[1])


def a_assign(targets: list[Any], value: Any) -> ast.Assignments:
    """`x = y = value`."""
    return ast.Assignments(targets[0].start, value.end, targets, value)


def a_question(condition: Any, mark: Token, then: Any, colon: Token) -> ast.Choice:
    """`a ? b :`."""
    return ast.Choice(condition.start, colon[3], condition, then)


def a_conditional(choices: list[Any], otherwise: Any) -> ast.Conditional:
    """`a ? b : c`."""
    return ast.Conditional(choices[0].start, otherwise.end, choices, otherwise)


def a_binary(left: Any, operator: Token, right: Any) -> ast.Binary:
    """`a + b - c`: one node for each level of operators."""
    sign = operator[1]
    if left.__class__ is ast.Binary and LEVELS[left.operators[0]] == LEVELS[sign]:
        left.operands.append(right)
        left.operators.append(sign)
        left.end = right.end
        return left
    return ast.Binary(left.start, right.end, [left, right], [sign])


def a_base(base: Any, operator: Token) -> Any:
    """`a **`."""
    return base


def a_power(bases: list[Any], last: Any) -> ast.Power:
    """`a ** b ** c`."""
    return ast.Power(bases[0].start, last.end, [*bases, last])


def a_sign(sign: Token) -> Token:
    """`-`, `!`."""
    return sign


def a_unary(signs: list[Token], operand: Any) -> ast.Unary:
    """`- ! x`."""
    return ast.Unary(signs[0][2], operand.end, [str(sign[1]) for sign in signs], operand)


def a_reference(source: Any) -> Any:
    """A variable's value."""
    return source


def a_number(token: Token) -> ast.Number:
    """`0x1f`."""
    return ast.Number(token[2], token[3], token[1])


def a_word(word: Any) -> Any:
    """An operand that is expanded."""
    return word


def a_step_after(source: ast.Reference, operator: Token) -> ast.Step:
    """`x++`."""
    return ast.Step(source.start, operator[3], source, operator[1], False)


def a_step_before(operator: Token, source: ast.Reference) -> ast.Step:
    """`++x`."""
    return ast.Step(operator[2], source.end, source, operator[1], True)


def a_group(opener: Token, inner: Any, closer: Token) -> ast.Parentheses:
    """`( a )`."""
    return ast.Parentheses(opener[2], closer[3], inner)


# ---------------------------------------------------------------- start symbols


def arithmetic(*inner: Any) -> Any:
    """A whole text that is an expression."""
    return inner[0] if inner else None


def path(source: Any) -> Any:
    """A whole text that is a path."""
    return source


def value(item: Any) -> Any:
    """A whole text that is a value."""
    return item
