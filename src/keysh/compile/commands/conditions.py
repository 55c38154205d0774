"""Tests: what stands in `[[ … ]]` becomes closures; what they give is true or not, as in Python."""

from __future__ import annotations

from keysh.compile.words.patterns import is_quoted, shape
from keysh.compile.words.regexes import matching
from keysh.interp.builtins.file_tests import FILE_COMPARISONS, file_comparison, file_test
from keysh.interp.builtins.shell_tests import SHELL_TESTS
from keysh.interp.run.options import NOCASEMATCH
from keysh.interp.run.problem import Problem
from keysh.interp.variables.specials import SPECIALS
from keysh.interp.variables.value_paths import MISSING, base
from keysh.syntax import ast
from keysh.values import name_of, text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State

    Truth: TypeAlias = Callable[[State], object]

NUMBERS = {"-eq": "==", "-ne": "!=", "-lt": "<", "-le": "<=", "-gt": ">", "-ge": ">="}


def test(node: ast.TestExpression, context: Context) -> Truth:
    """A condition."""
    return FORMS[node.__class__](node, context)


def word(node: ast.Word, context: Context) -> Truth:
    """A word: true unless it is empty."""
    return context.text(node)


def group(node: ast.TestGroup, context: Context) -> Truth:
    """`( condition )`."""
    return test(node.expression, context)


def negation(node: ast.TestNot, context: Context) -> Truth:
    """`! condition`."""
    holds = test(node.term, context)
    return (lambda state: not holds(state)) if node.count % 2 else holds


def chain(node: ast.TestChain, context: Context) -> Truth:
    """Conditions joined by `&&`, or by `||`: no further than is needed."""
    terms = [test(term, context) for term in node.terms]
    stops = node.operator == "||"
    if len(terms) == 2:
        first, second = terms
        if stops:
            return lambda state: first(state) or second(state)
        return lambda state: first(state) and second(state)

    def decide(state: State) -> bool:
        for holds in terms:
            if bool(holds(state)) is stops:
                return stops
        return not stops

    return decide


# ---------------------------------------------------------------- one operand


def unary(node: ast.TestUnary, context: Context) -> Truth:
    """`-f word`."""
    operator = node.operator
    if operator in ("-list", "-record"):
        kind = list if operator == "-list" else dict
        held = held_value(node.operand, context)
        return lambda state: isinstance(held(state), kind)
    text = context.text(node.operand)
    if operator == "-n":
        return text
    if operator == "-z":
        return lambda state: not text(state)
    if operator in SHELL_TESTS:
        says = SHELL_TESTS[operator]
        return lambda state: says(state, text(state))
    return lambda state: file_test(state, operator, path_of(state, text(state)))


def path_of(state: State, text: str) -> str:
    """A path as file tests take it."""
    return join(state.cwd, text) if text else ""


def held_value(node: ast.Value, context: Context) -> Expression:
    """A value, which may also be an array of sh: here nothing of it could be lost."""
    part = node.parts[0] if isinstance(node, ast.Word) and len(node.parts) == 1 else None
    if not isinstance(part, ast.Variable) or part.name in SPECIALS or part.name.isdecimal():
        return context.value(node)
    name = part.name

    def held(state: State) -> Any:
        found = base(state, name)
        if found is MISSING:
            return state.value(name, None)
        return found

    return held


# ---------------------------------------------------------------- two operands


def binary(node: ast.TestBinary, context: Context) -> Truth:
    """`word == word`."""
    operator = node.operator
    if operator in NUMBERS:
        span = node.start, node.end
        return context.arithmetic(ast.Binary(*span, [node.left, node.right], [NUMBERS[operator]]))
    left = context.text(node.left)
    if operator in ("=~", "!~"):
        matches = matching(left, node.right, context)
        return matches if operator == "=~" else lambda state: not matches(state)
    if operator in ("=", "=="):
        return equality(left, node.right, context)
    if operator == "!=":
        equals = equality(left, node.right, context)
        return lambda state: not equals(state)
    right = context.text(node.right)
    if operator in FILE_COMPARISONS:
        return lambda state: file_comparison(
            state.fs, path_of(state, left(state)), operator, path_of(state, right(state))
        )
    if operator == "<":
        return lambda state: left(state) < right(state)
    return lambda state: left(state) > right(state)


def equality(left: Expression, right: ast.Word, context: Context) -> Truth:
    """`==`: the right side is a pattern; most are so simple that none need be matched."""
    read = context.pattern(right)

    def matches(state: State) -> bool:
        subject = left(state)
        found: bool = read(state).matches(subject)
        return found

    texts = shape(right)
    if texts is None:
        return (
            equality_of_texts(left, context.text(right), matches) if is_quoted(right) else matches
        )
    if len(texts) == 1:
        [text] = texts
        return lambda state: matches(state) if state.flags & NOCASEMATCH else left(state) == text
    if len(texts) > 2:
        return matches
    first, last = texts
    least = len(first) + len(last)

    def ends(state: State) -> bool:
        if state.flags & NOCASEMATCH:
            return matches(state)
        subject: str = left(state)
        return subject.startswith(first) and subject.endswith(last) and len(subject) >= least

    return ends


def equality_of_texts(left: Expression, right: Expression, matches: Truth) -> Truth:
    """`== "$x"`."""

    def equal(state: State) -> object:
        if state.flags & NOCASEMATCH:
            return matches(state)
        return left(state) == right(state)

    return equal


def contained(node: ast.TestIn, context: Context) -> Truth:
    """`word in list`, `key in record`."""
    left, right = context.text(node.left), held_value(node.right, context)
    wanted = node.operator == "in"

    def holds(state: State) -> bool:
        text, found = left(state), right(state)
        if isinstance(found, list):
            return (text in found or any(text_of(item) == text for item in found)) is wanted
        if isinstance(found, dict):
            return (text in found) is wanted
        fact = f"`in` wants a list or a record, this is a {name_of(found)}"
        fix = f"[[ {text_of(found) or '$text'} == *{text}* ]]"
        raise Problem("E201", fact, text_of(found), fix).at(node.right)

    return holds


FORMS: dict[type, Callable[..., Truth]] = {
    ast.Word: word,
    ast.TestUnary: unary,
    ast.TestBinary: binary,
    ast.TestIn: contained,
    ast.TestChain: chain,
    ast.TestNot: negation,
    ast.TestGroup: group,
}
