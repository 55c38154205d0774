r"""Regular expressions of `[[ x =~ e ]]`, in which quoted parts match literally.

As in bash a backslash quotes the next character, so `\w` is a `w` unless it comes from a variable;
inside brackets quotes change nothing.
"""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.interp.run.options import NOCASEMATCH
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.syntax import ast
from keysh.syntax.constants import unexpanded_text
from keysh.values import ShellList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node
    from keysh.text.regex.regex import Regex

    # The reader of a string, and whether it is quoted.
    RegexPiece: TypeAlias = "tuple[Expression, bool]"

REGEX_SPECIAL_CHARS = ".[]{}()*+?^$|\\"


def regex_test(
    left: Expression, right: ast.Word, context: CompileContext
) -> Callable[[State], bool]:
    """`=~`, which stores the match and its groups in BASH_REMATCH."""
    read = regex_reader(right, context)

    def matches(state: State) -> bool:
        text = left(state)
        groups = match_groups(read(state), text, state, right)
        state.assign("BASH_REMATCH", ShellList(groups))
        return bool(groups)

    return matches


def match_groups(regex: Regex, text: str, state: State, node: ast.Word) -> list[str]:
    """The first match and its groups; an empty list without a match."""
    from keysh.text.regex.regex import RegexLimit  # noqa: PLC0415 - few scripts need it

    try:
        match = regex.search(text, tick=state.tick)
    except RegexLimit as limit:
        raise RuntimeDiagnostic(
            "E213", limit.message, regex.pattern, "a simpler expression"
        ).with_location(node) from None
    if match is None:
        return []
    return [match.group(number) or "" for number in range(regex.groups + 1)]


def regex_reader(word: ast.Word, context: CompileContext) -> Callable[[State], Regex]:
    """Compile a word as a regular expression. One without variables is compiled once."""
    pieces = [piece for part in word.parts for piece in regex_pieces(part, context)]
    invalid_status = 2 if context.source.dialect is BASH else 1

    def compile_regex(state: State) -> Regex:
        from keysh.text.regex.regex import RegexError, regex_of  # noqa: PLC0415 - few scripts match a regex

        text = regex_text((read(state), quoted) for read, quoted in pieces)
        try:
            return regex_of(text, "extended", ignore_case=bool(state.flags & NOCASEMATCH))
        except RegexError as error:
            fact, fix = (
                f"no regular expression: {error.message}",
                "escape the character, or quote it",
            )
            raise RuntimeDiagnostic("E213", fact, text, fix, status=invalid_status).with_location(
                word
            ) from None

    # Compiled once: twice as fast.
    if not all(is_constant_part(part) for part in word.parts):
        return compile_regex
    cache: list[Regex | None] = [None, None]

    def cached_regex(state: State) -> Regex:
        index = 1 if state.flags & NOCASEMATCH else 0
        compiled = cache[index]
        if compiled is None:
            compiled = cache[index] = compile_regex(state)
        return compiled

    return cached_regex


def is_constant_part(part: Node) -> bool:
    """Whether a part expands to the same text in any state."""
    return isinstance(part, ast.Text | ast.Quoted | ast.Glob)


def regex_pieces(part: Node, context: CompileContext) -> list[RegexPiece]:
    """A part as readers of strings, each with whether it is quoted."""
    if isinstance(part, ast.DoubleQuoted):
        return [(context.part_text(inner), True) for inner in part.parts]
    if is_constant_part(part):
        text = unexpanded_text(part)
        return [(lambda state: text, isinstance(part, ast.Quoted))]
    return [(context.part_text(part), False)]


def regex_text(pieces: Iterable[tuple[str, bool]]) -> str:
    """Join pieces of (text, is quoted) to one expression."""
    texts: list[str] = []
    bracket = -1  # the offset of the first member of an open bracket, or -1
    length = 0
    for text, is_quoted in pieces:
        if is_quoted:
            piece = text if bracket >= 0 else escaped_literal(text)
        else:
            piece = text
            bracket = open_bracket_after(text, bracket, length)
        texts.append(piece)
        length += len(piece)
    return "".join(texts)


def escaped_literal(text: str) -> str:
    """An expression that matches only this text."""
    return "".join(f"\\{char}" if char in REGEX_SPECIAL_CHARS else char for char in text)


def open_bracket_after(text: str, bracket: int, offset: int) -> int:
    """The offset of the bracket that is open after a text; -1 if none is."""
    index = 0
    while index < len(text):
        char = text[index]
        if bracket < 0:
            if char == "\\":
                index += 1
            elif char == "[":
                index += text[index + 1 : index + 2] == "^"
                bracket = offset + index + 1
        elif char == "[" and text[index + 1 : index + 2] in (":", ".", "="):
            end = text.find(text[index + 1] + "]", index + 2)
            index = end + 1 if end >= 0 else index
        elif char == "]" and offset + index > bracket:
            bracket = -1
        index += 1
    return bracket
