"""Letters: `${x^}`, `${x^^p}`, `${x,}`, `${x,,p}`: capital and small ones, all or some."""

from __future__ import annotations

from keysh.compile.parameters.apply import changed, changed_anew
from keysh.compile.words.patterns import pattern, shape
from keysh.text.case import capital, capitals, small_letter, small_letters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import Context
    from keysh.compile.parameters.apply import Change
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax import ast
    from keysh.text.pattern import Pattern


def upper_first(text: str) -> str:
    return capital(text[:1]) + text[1:] if text else text


def lower_first(text: str) -> str:
    return small_letter(text[:1]) + text[1:] if text else text


CHANGES: dict[str, Change] = {
    "^^": capitals, ",,": small_letters, "^": upper_first, ",": lower_first,
}  # fmt: skip


def change_letters(node: ast.Expand, context: Context) -> Expression:
    """`${x^^}`; behind the operator may stand a pattern for single letters."""
    operator, word = node.operator, node.operand
    if word is None or not word.parts:
        return changed(node, context, CHANGES[operator])
    if shape(word) == [""]:
        return changed(node, context, lambda text: text)  # as in bash, but for an empty variable
    read = pattern(word, context, heeded=0)
    letter = CHANGES[operator[0]]

    def make(state: State) -> Change:
        found: Pattern = read(state)
        if found.literal == "":
            return CHANGES[operator]
        if len(operator) == 1:
            return lambda text: letter(text) if found.matches(text[:1]) else text
        return lambda text: text.translate(table(found, letter, text))

    return changed_anew(node, context, make)


def table(found: Pattern, letter: Change, text: str) -> dict[int, str]:
    """What becomes of the letters of a text that a pattern matches."""
    return {ord(char): letter(char) for char in set(text) if found.matches(char)}
