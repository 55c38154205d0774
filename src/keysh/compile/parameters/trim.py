"""Trimming: `${x#p}`, `${x##p}`, `${x%p}`, `${x%%p}`.

Literal texts and `*x`, `x*` use methods of str, 4.6 times as fast as a pattern; quoted text does
so too, 2.2 times as fast.
"""

from __future__ import annotations

from keysh.compile.parameters.text_changes import computed_change, constant_change
from keysh.compile.words.patterns import has_no_wildcards, literals_between_stars, pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import CompileContext
    from keysh.compile.parameters.text_changes import TextChange
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast
    from keysh.text.pattern import Pattern
    from keysh.text.pattern_parser import Tick


def trim(node: ast.Expand, context: CompileContext) -> Expression:
    """Remove the shortest or longest prefix or suffix that a pattern matches."""
    operator, word = node.operator, node.operand
    assert word is not None  # the grammar gives these operators one, if only an empty one
    texts = literals_between_stars(word)
    change = simple_pattern_trim(operator, texts) if texts is not None else None
    if change is not None:
        return constant_change(node, context, change, may_grow=False)
    if texts is None and has_no_wildcards(word):
        text = context.text(word)
        return computed_change(node, context, lambda state: literal_trim(operator[0], text(state)))
    read = pattern(word, context, case_option=0)

    def by_pattern(state: State) -> TextChange:
        compiled: Pattern = read(state)
        literal = compiled.literal
        return (
            pattern_trim(operator, compiled, state.tick)
            if literal is None
            else literal_trim(operator[0], literal)
        )

    return computed_change(node, context, by_pattern)


def pattern_trim(operator: str, compiled: Pattern, tick: Tick) -> TextChange:
    """Remove what a pattern matches."""
    longest = len(operator) == 2

    def without_beginning(text: str) -> str:
        return text[compiled.prefix(text, longest, tick) or 0 :]

    def without_end(text: str) -> str:
        length = compiled.suffix(text, longest, tick)
        return text[: len(text) - length] if length else text

    return without_beginning if operator[0] == "#" else without_end


def literal_trim(side: str, literal: str) -> TextChange:
    """Remove a text from one side."""
    if side == "#":
        return lambda text: text.removeprefix(literal)
    return lambda text: text.removesuffix(literal)


def simple_pattern_trim(operator: str, texts: list[str]) -> TextChange | None:
    """Remove what a pattern `p`, `*p` or `p*` matches; None for other patterns."""
    if len(texts) == 1:
        return literal_trim(operator[0], texts[0])
    if len(texts) > 2 or all(texts) or not any(texts):
        return None
    first, last = texts
    if operator == "#":
        return literal_trim("#", first) if first else lambda text: after_first(text, last)
    if operator == "##":
        if last:
            return lambda text: text.rpartition(last)[2]
        return lambda text: "" if text.startswith(first) else text
    if operator == "%":
        return literal_trim("%", last) if last else lambda text: before_last(text, first)
    if first:
        return lambda text: text.partition(first)[0]
    return lambda text: "" if text.endswith(last) else text


def after_first(text: str, mark: str) -> str:
    """`${x#*mark}`"""
    _, separator, rest = text.partition(mark)
    return rest if separator else text


def before_last(text: str, mark: str) -> str:
    """`${x%mark*}`"""
    rest, separator, _ = text.rpartition(mark)
    return rest if separator else text
