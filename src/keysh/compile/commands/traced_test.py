r"""`[[ … ]]` under `set -x`: each condition is printed with its operands expanded, as bash does.

A chain prints what it evaluates, and no parentheses. In a pattern the quoted characters are
escaped: `[[ $x == "a b"* ]]` prints `+ [[ 1 == \a\ \b* ]]`.
"""

from __future__ import annotations

from keysh.compile.commands.conditions import NUMERIC_OPERATORS, condition
from keysh.compile.context import CompileContext
from keysh.compile.words.regexes import REGEX_SPECIAL_CHARS
from keysh.interp.engine.xtrace import trace
from keysh.syntax import ast
from keysh.syntax.constants import unexpanded_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from keysh.diagnostics.source import Source
    from keysh.interp.run.closures import Expression
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

    Truth: TypeAlias = Callable[[State], object]

PATTERN_OPERATORS, REGEX_OPERATORS = ("=", "==", "!="), ("=~", "!~")
SHOWN_ESCAPED = REGEX_SPECIAL_CHARS.translate({ord(char): None for char in "]}"})
OWN_OPERATORS = ("-list", "-record")  # of keysh: their operand is no text


class OnceContext(CompileContext):
    """A context whose expansions run once for a condition, however many closures read them.

    The line of the trace and the condition both need the operands, and `$(…)` may run only once.
    A function called in it may evaluate the same condition, in a shell of its own.
    """

    __slots__ = ("_values",)

    def __init__(self, source: Source, tables: Mapping[str, Any]) -> None:
        super().__init__(source, tables)
        # By the shell that evaluates, then by the node.
        self._values: dict[State, dict[int, object]] = {}

    def evaluate(self, state: State, trace_line: Truth, holds: Truth) -> object:
        """Trace and evaluate a condition."""
        outer = self._values.get(state)
        self._values[state] = {}
        try:
            trace_line(state)
            return holds(state)
        finally:
            if outer is None:
                del self._values[state]
            else:
                self._values[state] = outer

    def part(self, node: Node) -> Expression:
        read, values_by_state = super().part(node), self._values

        def read_once(state: State) -> object:
            values = values_by_state.get(state)
            if values is None:  # in a subshell, as in the commands of a `$(…)`
                return read(state)
            if id(node) not in values:
                values[id(node)] = read(state)
            return values[id(node)]

        return read_once


def traced_test(
    node: ast.TestExpression, source: Source, tables: Mapping[str, Any], site: Site
) -> Truth:
    """Compile the expression of a `[[ … ]]` that prints what it evaluates."""
    return traced_expression(node, OnceContext(source, tables), site)


def traced_expression(node: ast.TestExpression, context: OnceContext, site: Site) -> Truth:
    """Compile a part of it."""
    if isinstance(node, ast.TestGroup):
        return traced_expression(node.expression, context, site)
    if isinstance(node, ast.TestChain):
        terms = [traced_expression(term, context, site) for term in node.terms]
        stops = node.operator == "||"

        def decide(state: State) -> bool:
            return any(bool(holds(state)) is stops for holds in terms) is stops

        return decide
    if isinstance(node, ast.TestNot):
        is_negative = bool(node.count % 2)
        if isinstance(node.term, ast.TestGroup | ast.TestChain | ast.TestNot):
            inner = traced_expression(node.term, context, site)
        else:
            inner = traced_condition(node.term, context, site, "! " * is_negative)
        return lambda state: bool(inner(state)) is not is_negative
    return traced_condition(node, context, site, "")


def traced_condition(
    node: ast.TestExpression, context: OnceContext, site: Site, sign: str
) -> Truth:
    """Compile one condition."""
    if isinstance(node, ast.TestBinary) and node.operator in NUMERIC_OPERATORS:
        operands = quoted_sums(node.left), quoted_sums(node.right)
        node = ast.TestBinary(node.start, node.end, operands[0], node.operator, operands[1])
    holds = condition(node, context)
    read = condition_text(node, context)

    def trace_line(state: State) -> None:
        trace(state, f"[[ {sign}{read(state)} ]]", site)

    return lambda state: context.evaluate(state, trace_line, holds)


def quoted_sums(word: ast.Word) -> ast.Word:
    """Return an operand of `-eq` in which each `$((…))` is a text, and so computed only once."""
    parts: list[ast.Part] = [
        ast.DoubleQuoted(part.start, part.end, [part])
        if isinstance(part, ast.ArithmeticExpansion)
        else part
        for part in word.parts
    ]
    return ast.Word(word.start, word.end, parts)


def condition_text(node: ast.TestExpression, context: OnceContext) -> Callable[[State], str]:
    """Return what makes the text of a condition: its operands as they are, `''` if empty."""
    if isinstance(node, ast.Word):
        value = operand_text(node, context)
        return lambda state: f"-n {value(state)}"
    if isinstance(node, ast.TestUnary) and node.operator not in OWN_OPERATORS:
        operator, operand = node.operator, operand_text(node.operand, context)
        return lambda state: f"{operator} {operand(state)}"
    if isinstance(node, ast.TestBinary):
        left, operator = operand_text(node.left, context), node.operator
        if operator in PATTERN_OPERATORS:
            right = matched_text(node.right, context, escaped_characters)
        elif operator in REGEX_OPERATORS:
            right = matched_text(node.right, context, escaped_regex_characters)
        else:
            right = operand_text(node.right, context)
        return lambda state: f"{left(state)} {operator} {right(state)}"
    as_written = context.source.text[node.start : node.end]
    return lambda state: as_written


def operand_text(word: ast.Word, context: CompileContext) -> Callable[[State], str]:
    """Return what reads an operand."""
    read = context.text(word)
    return lambda state: read(state) or "''"


def matched_text(
    word: ast.Word, context: CompileContext, escape: Callable[[str], str]
) -> Callable[[State], str]:
    """Return what reads a pattern or regular expression, in which quoted parts are escaped."""
    pieces: list[Callable[[State], str]] = []
    for part in word.parts:
        if isinstance(part, ast.Quoted | ast.DoubleQuoted):
            pieces.append(escaped_reader(context.part_text(part), escape))
        elif isinstance(part, ast.Text | ast.Glob | ast.ExtendedGlob | ast.Brace | ast.BraceRange):
            pieces.append(constant_reader(unexpanded_text(part)))
        else:
            pieces.append(context.part_text(part))
    return lambda state: "".join(piece(state) for piece in pieces) or "''"


def escaped_reader(read: Expression, escape: Callable[[str], str]) -> Callable[[State], str]:
    return lambda state: escape(read(state))


def constant_reader(text: str) -> Callable[[State], str]:
    return lambda state: text


def escaped_characters(text: str) -> str:
    """Return a text with a backslash before each character."""
    return "".join(f"\\{char}" for char in text)


def escaped_regex_characters(text: str) -> str:
    """Return a text with a backslash before each character that an expression could begin with."""
    return "".join(f"\\{char}" if char in SHOWN_ESCAPED else char for char in text)
