"""Case modification: `${x^}`, `${x^^p}`, `${x,}`, `${x,,p}`, `${x~}` and `${x~~p}`."""

from __future__ import annotations

from keysh.compile.parameters.text_changes import computed_change, constant_change
from keysh.compile.words.patterns import literals_between_stars, pattern
from keysh.text.letter_case import (
    lower_character,
    to_lower,
    to_upper,
    toggle,
    toggle_character,
    upper_character,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import CompileContext
    from keysh.compile.parameters.text_changes import TextChange
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast
    from keysh.text.pattern import Pattern


def upper_first(text: str) -> str:
    return upper_character(text[:1]) + text[1:] if text else text


def lower_first(text: str) -> str:
    return lower_character(text[:1]) + text[1:] if text else text


def toggle_first(text: str) -> str:
    return toggle_character(text[:1]) + text[1:] if text else text


CASE_CHANGES: dict[str, TextChange] = {
    "^^": to_upper, ",,": to_lower, "~~": toggle,
    "^": upper_first, ",": lower_first, "~": toggle_first,
}  # fmt: skip


def change_case(node: ast.Expand, context: CompileContext) -> Expression:
    """`${x^^}`; a pattern after the operator selects letters"""
    operator, word = node.operator, node.operand
    if word is None or not word.parts:
        return constant_change(node, context, CASE_CHANGES[operator])
    if literals_between_stars(word) == [""]:
        # Bash does the same, except for an empty variable.
        return constant_change(node, context, lambda text: text)
    read = pattern(word, context, case_option=0)
    letter = CASE_CHANGES[operator[0]]

    def make(state: State) -> TextChange:
        selected: Pattern = read(state)
        if selected.literal == "":
            return CASE_CHANGES[operator]
        if len(operator) == 1:
            return lambda text: letter(text) if selected.matches(text[:1]) else text
        return lambda text: text.translate(case_table(selected, letter, text))

    return computed_change(node, context, make)


def case_table(selected: Pattern, letter: TextChange, text: str) -> dict[int, str]:
    """A table for str.translate of the letters of a text that match a pattern."""
    return {ord(char): letter(char) for char in set(text) if selected.matches(char)}
