"""Expressions: arithmetic, and the conditions of `[[ … ]]`."""

from __future__ import annotations

import re

from keysh.syntax import ast
from keysh.syntax.printer import quotes
from keysh.syntax.printer.context import PLAIN, REGEX, TEST, Context
from keysh.syntax.printer.words import separated
from keysh.syntax.printer.writer import dedent, gap, indent, line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.printer.writer import Piece, Pieces, Writer

# Words that would be something else where a condition begins, or anywhere in it.
UNARY = re.compile(r"-(?:[A-Za-z]|list|record)", re.ASCII)
CLOSING = ("!", "]]")


# ---------------------------------------------------------------- [[ … ]]


def test(w: Writer, node: ast.Test, context: Context) -> Pieces:
    """`[[ … ]]`."""
    return ("[[ ", *term(node.expression), " ]]")


def term(node: ast.TestExpression) -> Pieces:
    """A condition, or a word that stands as one."""
    return operand(node, is_first=True) if isinstance(node, ast.Word) else ((node, TEST),)


def operand(node: ast.Value, *, is_first: bool = False) -> Pieces:
    """A word, parted by a joined line if it would be read as an operator where it stands."""
    if isinstance(node, ast.Word) and len(node.parts) == 1:
        part = node.parts[0]
        if isinstance(part, ast.Text) and (
            part.value in CLOSING or (is_first and UNARY.fullmatch(part.value))
        ):
            return (part.value[0] + quotes.JOIN + part.value[1:],)
    return ((node, TEST),)


def test_unary(w: Writer, node: ast.TestUnary, context: Context) -> Pieces:
    """`-f word`."""
    return (node.operator + " ", *operand(node.operand))


def test_binary(w: Writer, node: ast.TestBinary, context: Context) -> Pieces:
    """`word == word`."""
    left = (*operand(node.left, is_first=True), f" {node.operator} ")
    if node.operator in ("=~", "!~"):
        return (*left, (node.right, REGEX))
    return (*left, *operand(node.right))


def test_in(w: Writer, node: ast.TestIn, context: Context) -> Pieces:
    """`word in value`."""
    return (*operand(node.left, is_first=True), f" {node.operator} ", *operand(node.right))


def test_chain(w: Writer, node: ast.TestChain, context: Context) -> Pieces:
    """`a && b`; where a line was broken it stays so, behind the operator."""
    *terms, last = node.terms
    pieces: list[Piece] = [indent]
    for current, following in zip(terms, node.terms[1:], strict=True):
        pieces += (*term(current), " " + node.operator)
        is_broken = w.is_broken(current.end, following.start)
        pieces.append(gap(following.start, line, blanks=False) if is_broken else " ")
    return (*pieces, *term(last), dedent)


def test_not(w: Writer, node: ast.TestNot, context: Context) -> Pieces:
    """`! term`."""
    return ("! " * node.count, *term(node.term))


def test_group(w: Writer, node: ast.TestGroup, context: Context) -> Pieces:
    """`( expression )`."""
    return ("(", *term(node.expression), ")")


# ---------------------------------------------------------------- arithmetic


def number(w: Writer, node: ast.Number, context: Context) -> Pieces:
    """`0x1f`."""
    return (node.text,)


def binary(w: Writer, node: ast.Binary, context: Context) -> Pieces:
    """`a + b - c`."""
    pieces: list[Piece] = [(node.operands[0], PLAIN)]
    for operator, item in zip(node.operators, node.operands[1:], strict=True):
        pieces += (f" {operator} ", (item, PLAIN))
    return pieces


def power(w: Writer, node: ast.Power, context: Context) -> Pieces:
    """`a ** b`."""
    return separated(node.operands, " ** ", PLAIN)


def unary(w: Writer, node: ast.Unary, context: Context) -> Pieces:
    """`-x`; two equal signs that touch would be one operator."""
    signs = ""
    for sign in node.operators:
        signs += " " + sign if sign == signs[-1:] and sign in "+-" else sign
    inner = node.operand
    first = inner.operator[0] if isinstance(inner, ast.Step) and inner.before else ""
    return (signs + " " if first == signs[-1] else signs, (inner, PLAIN))


def step(w: Writer, node: ast.Step, context: Context) -> Pieces:
    """`x++`, `--x`."""
    inner = (node.reference, PLAIN)
    return (node.operator, inner) if node.before else (inner, node.operator)


def assignments(w: Writer, node: ast.Assignments, context: Context) -> Pieces:
    """`x = y += value`."""
    return (*[(target, PLAIN) for target in node.targets], (node.value, PLAIN))


def target(w: Writer, node: ast.Target, context: Context) -> Pieces:
    """`x +=`."""
    return ((node.reference, PLAIN), f" {node.operator} ")


def conditional(w: Writer, node: ast.Conditional, context: Context) -> Pieces:
    """`a ? b : c`."""
    return (*[(choice, PLAIN) for choice in node.choices], (node.otherwise, PLAIN))


def choice(w: Writer, node: ast.Choice, context: Context) -> Pieces:
    """`a ? b :`."""
    return ((node.condition, PLAIN), " ? ", (node.then, PLAIN), " : ")


def sequence(w: Writer, node: ast.Sequence, context: Context) -> Pieces:
    """`a, b`."""
    return separated(node.expressions, ", ", PLAIN)


def parentheses(w: Writer, node: ast.Parentheses, context: Context) -> Pieces:
    """`( expression )`."""
    return ("(", (node.expression, PLAIN), ")")


def arithmetic_command(w: Writer, node: ast.ArithmeticCommand, context: Context) -> Pieces:
    """`(( … ))`."""
    return ("((", *part(node.expression), "))")


def part(node: ast.Arithmetic | None) -> Pieces:
    """An expression that may be empty."""
    return () if node is None else ((node, PLAIN),)


def heads(*parts: ast.Arithmetic | None) -> Pieces:
    """The three parts of `for ((…; …; …))`."""
    pieces: list[Piece] = []
    for node in parts:
        pieces += (";", " ", *part(node)) if node else (";",)
    return pieces[2:] if parts[0] else pieces[1:]
