"""Replacement: `${x/p/r}` of the first match, `//` of all, `/#` at the start, `/%` at the end."""

from __future__ import annotations

from keysh.compile.parameters.text_changes import computed_change, constant_change
from keysh.compile.words.patterns import literals_between_stars
from keysh.interp.run.options import NOCASEMATCH
from keysh.syntax import ast
from keysh.text.chunks import utf8_bytes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.compile.parameters.text_changes import TextChange
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.text.pattern import Pattern

    # The texts around the places of the match: `[&]` is ("[", "]"), a plain text ("r",).
    Template: TypeAlias = tuple[str, ...]


def replace(node: ast.Replace, context: CompileContext) -> Expression:
    """Compile the replacement of what a pattern matches."""
    operator = node.operator
    template = replacement_template(node.replacement, context)
    read = context.pattern(node.pattern)

    def by_pattern(state: State) -> TextChange:
        matched, new = read(state), template(state)
        literal = matched.literal
        if literal and len(new) == 1:
            return limited_replacement(state, operator, literal, new[0])
        return lambda text: replace_matches(state, operator, matched, new, text)

    general = computed_change(node, context, by_pattern)
    texts, new = literals_between_stars(node.pattern), constant_replacement(node.replacement)
    if texts is None or len(texts) > 1 or new is None:
        return general
    [literal] = texts
    if not literal and operator in ("/", "//"):
        return constant_change(node, context, lambda text: text)
    return replace_text(node, context, literal, new, general)


def replace_text(
    node: ast.Replace, context: CompileContext, old: str, new: str, general: Expression
) -> Expression:
    """Replace a known text by another one: twice as fast as a pattern."""
    operator = node.operator
    if operator == "//" and may_grow(old, new):
        simple = computed_change(
            node, context, lambda state: limited_replacement(state, operator, old, new)
        )
    else:
        simple = constant_change(node, context, literal_replacement(operator, old, new))
    return lambda state: general(state) if state.flags & NOCASEMATCH else simple(state)


def limited_replacement(state: State, operator: str, old: str, new: str) -> TextChange:
    """A change of one text into another one that keeps within the limit of a value."""
    if operator == "//" and may_grow(old, new):
        return lambda text: replace_all_within_limit(state, text, old, new)
    return literal_replacement(operator, old, new)


def may_grow(old: str, new: str) -> bool:
    """Whether a text becomes larger, perhaps many times, when all of `old` in it is replaced."""
    return len(new) > len(old) or utf8_bytes(new) > utf8_bytes(old)


def literal_replacement(operator: str, old: str, new: str) -> TextChange:
    """A change of one text into another one that makes it at most twice as large."""
    if operator == "//":
        return lambda text: text.replace(old, new)
    if operator == "/":
        return lambda text: text.replace(old, new, 1)
    length = len(old)
    if operator == "/#":
        return lambda text: new + text[length:] if text.startswith(old) else text
    return lambda text: text[: len(text) - length] + new if text.endswith(old) else text


def replace_all_within_limit(state: State, text: str, old: str, new: str) -> str:
    """Replace all occurrences; an error if the result would exceed the limit."""
    if len(text) * len(new) > state.safe_length:
        growth = text.count(old) * (utf8_bytes(new) - utf8_bytes(old))
        state.check_size(utf8_bytes(text) + growth)
    return text.replace(old, new)


def replace_matches(state: State, operator: str, matched: Pattern, new: Template, text: str) -> str:
    """Replace what a pattern matches in a text."""
    if operator == "/#":
        length = matched.prefix(text, True, state.tick)
        if length is None:
            return text
        return replacement_text(state, new, text[:length]) + text[length:]
    if operator == "/%":
        length = matched.suffix(text, True, state.tick)
        if length is None:
            return text
        position = len(text) - length
        return text[:position] + replacement_text(state, new, text[position:])
    if matched.literal == "":
        return text
    pieces: list[str] = []
    position = length = 0
    for start, end in matched.find_all(text, state.tick):
        state.tick()
        if start == end == len(text) and text:
            break  # as in bash, there is no match after the last character
        pieces += text[position:start], replacement_text(state, new, text[start:end])
        length += len(pieces[-1])
        state.check_size(length)
        position = end
        if operator == "/":
            break
    pieces.append(text[position:])
    return "".join(pieces)


def replacement_text(state: State, template: Template, match: str) -> str:
    """The replacement of one match."""
    if len(template) == 1:
        return template[0]
    state.check_texts((match,), len(template) - 1)
    return match.join(template)


# ---------------------------------------------------------------- the replacement


def constant_replacement(word: ast.Word | None) -> str | None:
    """The replacement if it depends on neither the state nor the match; else None."""
    pieces = constant_pieces(word)
    if pieces is None:
        return None
    template = read_template(pieces)
    return template[0] if len(template) == 1 else None


def constant_pieces(word: ast.Word | None) -> list[tuple[str, bool]] | None:
    """The texts of a word, each with whether it is quoted; None if it has expansions."""
    pieces: list[tuple[str, bool]] = []
    for part in [] if word is None else word.parts:
        if not isinstance(part, ast.Text | ast.Quoted):
            return None
        pieces.append((part.value, isinstance(part, ast.Quoted)))
    return pieces


def replacement_template(
    word: ast.Word | None, context: CompileContext
) -> Callable[[State], Template]:
    """Compile the replacement, in which an unquoted `&` stands for the match."""
    known = constant_pieces(word)
    if known is not None or word is None:
        template = read_template(known or [])
        return lambda state: template
    pieces = [
        (context.part_text(part), isinstance(part, ast.Quoted | ast.DoubleQuoted))
        for part in word.parts
    ]
    return lambda state: read_template((read(state), quoted) for read, quoted in pieces)


def read_template(pieces: Iterable[tuple[str, bool]]) -> Template:
    r"""Read pieces of (text, is quoted) as bash 5.2 does: `&` is the match, `\&` and `\\` are not.

    A backslash of an unquoted variable applies even to a quoted character after it.
    """
    text = "".join(
        [escaped_template_text(text) if is_quoted else text for text, is_quoted in pieces]
    )
    if "&" not in text and "\\" not in text:
        return (text,)
    texts: list[str] = []
    current: list[str] = []
    index = 0
    while index < len(text):
        char = text[index]
        if char == "&":
            texts.append("".join(current))
            current = []
        else:
            if char == "\\" and text[index + 1 : index + 2] in ("&", "\\"):
                index += 1
                char = text[index]
            current.append(char)
        index += 1
    return (*texts, "".join(current))


def escaped_template_text(text: str) -> str:
    return text.replace("\\", "\\\\").replace("&", "\\&")
