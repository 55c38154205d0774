"""Inserted text: bash expands `$x` in an expression first, and parses what then stands there.

Nearly always each `$x` is a number, for which the compiled expression gives the same. Otherwise the
text is put together and parsed when it runs, as in `$(( $a $op $b ))`.
"""

from __future__ import annotations

from keysh.compile.arithmetic.stale_reads import stale_read
from keysh.compile.arithmetic.variables import SAFE_DIGITS, plain_variable_name
from keysh.interp.variables.arithmetic_text import evaluate_arithmetic
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.compile.arithmetic.variables import NumberReader
    from keysh.compile.context import CompileContext
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node


def arithmetic_of_bash(
    node: ast.Arithmetic, compute: NumberReader, context: CompileContext
) -> NumberReader:
    """Compile a whole expression of the bash dialect; `compute` is its compiled form."""
    inserted = inserted_words(node)
    if not inserted:
        return compute
    text, start = context.source.text, node.start
    between: list[str] = []
    for word in inserted:
        between.append(text[start : word.start])
        start = word.end
    last = text[start : node.end]
    readers = [context.text(word) for word in inserted]

    def evaluate_text(state: State) -> int | float:
        pieces = [before + read(state) for before, read in zip(between, readers, strict=True)]
        return evaluate_arithmetic(state, "".join([*pieces, last]))

    if stale_read(node) is not None or any(map(has_effects, inserted)):
        return evaluate_text
    checks = [number_check(word, context) for word in inserted]
    if len(checks) == 1:
        [is_number] = checks
        return lambda state: compute(state) if is_number(state) else evaluate_text(state)

    def evaluate(state: State) -> int | float:
        for is_number in checks:
            if not is_number(state):
                return evaluate_text(state)
        return compute(state)

    return evaluate


def number_check(word: ast.Word, context: CompileContext) -> Callable[[State], bool]:
    """Compile the test whether a word is a plain number now, the same operand in any place."""
    name = plain_variable_name(word)
    if context.source.text.startswith("-", word.start - 1):  # `y-$x` may become `y--3`
        read_text = context.text(word)
        return lambda state: is_decimal_literal(read_text(state))
    if name is not None:
        return lambda state: is_decimal_literal(state.variables.get(name))
    part = word.parts[0]
    is_alone = len(word.parts) == 1 and not isinstance(part, ast.DoubleQuoted)
    read = context.part(part) if is_alone else context.text(word)
    return lambda state: is_decimal_literal(read(state))


def inserted_words(node: Node) -> list[ast.Word]:
    """Return the words of an expression whose expansion becomes a part of its text."""
    if isinstance(node, ast.Word):
        return [] if constant_text(node) is not None else [node]
    if isinstance(node, ast.Reference):
        return []
    return [word for child in node.children() for word in inserted_words(child)]


def has_effects(word: ast.Word) -> bool:
    """Whether expanding a word twice could do something twice, or give something else."""
    return any(
        isinstance(node, ast.Substitution | ast.ArithmeticExpansion)
        or (isinstance(node, ast.Expand) and "=" in node.operator)
        for node in word.walk()
    )


def is_decimal_literal(value: Any) -> bool:
    """Whether a value is the same number wherever its text is inserted."""
    if value.__class__ is int:
        return True
    if value.__class__ is not str or not value.isdecimal() or not value.isascii():
        return False
    return len(value) < SAFE_DIGITS and (value[0] != "0" or value == "0")
