"""Inserted text: bash expands `$x` in an expression first, and parses what then stands there.

Nearly always each `$x` is a number, for which the compiled expression gives the same. Otherwise the
text is put together and parsed when it runs, as in `$(( $a $op $b ))`.
"""

from __future__ import annotations

from keysh.compile.arithmetic.stale_reads import stale_read
from keysh.compile.arithmetic.wrapping import wrapped
from keysh.interp.variables.arithmetic_text import evaluate_arithmetic
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.arithmetic.variables import NumberReader
    from keysh.compile.context import CompileContext
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

SAFE_DIGITS = 18  # a number of fewer digits needs no wrapping


def arithmetic_of_bash(
    node: ast.Arithmetic, compute: NumberReader, context: CompileContext
) -> NumberReader:
    """Compile a whole expression of the bash dialect; `compute` is its compiled form."""
    inserted = inserted_words(node)
    if not inserted:
        return lambda state: wrapped(compute(state))
    text, start = context.source.text, node.start
    between: list[str] = []
    for word in inserted:
        between.append(text[start : word.start])
        start = word.end
    last = text[start : node.end]
    readers = [context.text(word) for word in inserted]
    is_plain = not any(map(has_effects, inserted)) and stale_read(node) is None

    def evaluate(state: State) -> int | float:
        texts = [read(state) for read in readers]
        if is_plain and all(map(is_plain_number, texts)):
            return wrapped(compute(state))
        pieces = [before + inner for before, inner in zip(between, texts, strict=True)]
        return evaluate_arithmetic(state, "".join([*pieces, last]))

    return evaluate


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


def is_plain_number(text: str) -> bool:
    """Whether a text is a decimal number, which is the same operand wherever it is inserted."""
    if not text.isdecimal() or not text.isascii():
        return False
    return len(text) < SAFE_DIGITS and (text[0] != "0" or text == "0")
