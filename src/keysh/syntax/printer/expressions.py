"""Expressions: arithmetic, and the conditions of `[[ … ]]`."""

from __future__ import annotations

import re

from keysh.syntax import ast
from keysh.syntax.printer import quotes
from keysh.syntax.printer.print_context import (
    PLAIN_CONTEXT,
    REGEX_CONTEXT,
    TEST_CONTEXT,
    PrintContext,
)
from keysh.syntax.printer.words import separated_nodes
from keysh.syntax.printer.writer import dedent, gap, indent, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.printer.writer import Piece, Pieces, ScriptWriter

# Words that would be operators at the start of a condition, or anywhere in it.
UNARY_OPERATOR = re.compile(r"-(?:[A-Za-z]|list|record)", re.ASCII)
TEST_CLOSERS = ("!", "]]")


# ---------------------------------------------------------------- [[ … ]]


def test(writer: ScriptWriter, node: ast.Test, context: PrintContext) -> Pieces:
    """`[[ … ]]`."""
    return ("[[ ", *term(node.expression), " ]]")


def term(node: ast.TestExpression) -> Pieces:
    """A condition, or a word as a condition."""
    return operand(node, is_first=True) if isinstance(node, ast.Word) else ((node, TEST_CONTEXT),)


def operand(node: ast.Value, *, is_first: bool = False) -> Pieces:
    """A word, split by a joined line if it would be read as an operator."""
    if isinstance(node, ast.Word) and len(node.parts) == 1:
        part = node.parts[0]
        if isinstance(part, ast.Text) and (
            part.value in TEST_CLOSERS or (is_first and UNARY_OPERATOR.fullmatch(part.value))
        ):
            return (part.value[0] + quotes.LINE_JOIN + part.value[1:],)
    return ((node, TEST_CONTEXT),)


def test_unary(writer: ScriptWriter, node: ast.TestUnary, context: PrintContext) -> Pieces:
    """`-f word`."""
    return (node.operator + " ", *operand(node.operand))


def test_binary(writer: ScriptWriter, node: ast.TestBinary, context: PrintContext) -> Pieces:
    """`word == word`."""
    left = (*operand(node.left, is_first=True), f" {node.operator} ")
    if node.operator in ("=~", "!~"):
        return (*left, (node.right, REGEX_CONTEXT))
    return (*left, *operand(node.right))


def test_in(writer: ScriptWriter, node: ast.TestIn, context: PrintContext) -> Pieces:
    """`word in value`."""
    return (*operand(node.left, is_first=True), f" {node.operator} ", *operand(node.right))


def test_chain(writer: ScriptWriter, node: ast.TestChain, context: PrintContext) -> Pieces:
    """`a && b`; a line that was broken after an operator stays so."""
    *terms, last = node.terms
    pieces: list[Piece] = [indent]
    for current, following in zip(terms, node.terms[1:], strict=True):
        pieces += (*term(current), " " + node.operator)
        is_broken = writer.is_broken(current.end, following.start)
        pieces.append(gap(following.start, line, blanks=False) if is_broken else " ")
    return (*pieces, *term(last), dedent)


def test_not(writer: ScriptWriter, node: ast.TestNot, context: PrintContext) -> Pieces:
    """`! term`."""
    return ("! " * node.count, *term(node.term))


def test_group(writer: ScriptWriter, node: ast.TestGroup, context: PrintContext) -> Pieces:
    """`( expression )`."""
    return ("(", *term(node.expression), ")")


# ---------------------------------------------------------------- arithmetic


def number(writer: ScriptWriter, node: ast.Number, context: PrintContext) -> Pieces:
    """`0x1f`."""
    return (node.text,)


def binary(writer: ScriptWriter, node: ast.Binary, context: PrintContext) -> Pieces:
    """`a + b - c`."""
    pieces: list[Piece] = [(node.operands[0], PLAIN_CONTEXT)]
    for operator, item in zip(node.operators, node.operands[1:], strict=True):
        pieces += (f" {operator} ", (item, PLAIN_CONTEXT))
    return pieces


def power(writer: ScriptWriter, node: ast.Power, context: PrintContext) -> Pieces:
    """`a ** b`."""
    return separated_nodes(node.operands, " ** ", PLAIN_CONTEXT)


def unary(writer: ScriptWriter, node: ast.Unary, context: PrintContext) -> Pieces:
    """`-x`; two signs that touch would be one operator, `--`."""
    signs = ""
    for sign in node.operators:
        signs += " " + sign if sign == signs[-1:] and sign in "+-" else sign
    inner = node.operand
    first = inner.operator[0] if isinstance(inner, ast.Step) and inner.before else ""
    return (signs + " " if first == signs[-1] else signs, (inner, PLAIN_CONTEXT))


def step(writer: ScriptWriter, node: ast.Step, context: PrintContext) -> Pieces:
    """`x++`, `--x`."""
    inner = (node.reference, PLAIN_CONTEXT)
    return (node.operator, inner) if node.before else (inner, node.operator)


def assignments(writer: ScriptWriter, node: ast.Assignments, context: PrintContext) -> Pieces:
    """`x = y += value`."""
    return (*[(target, PLAIN_CONTEXT) for target in node.targets], (node.value, PLAIN_CONTEXT))


def target(writer: ScriptWriter, node: ast.Target, context: PrintContext) -> Pieces:
    """`x +=`."""
    return ((node.reference, PLAIN_CONTEXT), f" {node.operator} ")


def conditional(writer: ScriptWriter, node: ast.Conditional, context: PrintContext) -> Pieces:
    """`a ? b : c`."""
    return (*[(choice, PLAIN_CONTEXT) for choice in node.choices], (node.otherwise, PLAIN_CONTEXT))


def choice(writer: ScriptWriter, node: ast.Choice, context: PrintContext) -> Pieces:
    """`a ? b :`."""
    return ((node.condition, PLAIN_CONTEXT), " ? ", (node.then, PLAIN_CONTEXT), " : ")


def sequence(writer: ScriptWriter, node: ast.Sequence, context: PrintContext) -> Pieces:
    """`a, b`."""
    return separated_nodes(node.expressions, ", ", PLAIN_CONTEXT)


def parentheses(writer: ScriptWriter, node: ast.Parentheses, context: PrintContext) -> Pieces:
    """`( expression )`."""
    return ("(", (node.expression, PLAIN_CONTEXT), ")")


def arithmetic_command(
    writer: ScriptWriter, node: ast.ArithmeticCommand, context: PrintContext
) -> Pieces:
    """`(( … ))`."""
    return ("((", *optional_expression(node.expression), "))")


def optional_expression(node: ast.Arithmetic | None) -> Pieces:
    """An expression, which may be empty."""
    return () if node is None else ((node, PLAIN_CONTEXT),)


def for_heads(*parts: ast.Arithmetic | None) -> Pieces:
    """The three parts of `for ((…; …; …))`."""
    pieces: list[Piece] = []
    for node in parts:
        pieces += (";", " ", *optional_expression(node)) if node else (";",)
    return pieces[2:] if parts[0] else pieces[1:]
