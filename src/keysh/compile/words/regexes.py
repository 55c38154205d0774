r"""Regular expressions of `[[ x =~ e ]]`, whose quoted parts stand for themselves.

As in bash a backslash quotes what follows it, so `\w` is a `w` unless it comes out of a variable;
and inside of brackets quotes change nothing.
"""

from __future__ import annotations

from keysh.interp.run.options import NOCASEMATCH
from keysh.interp.run.problem import RuntimeDiagnostic
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

    RegexPiece: TypeAlias = "tuple[Expression, bool]"  # what gives a text, and whether it is quoted

REGEX_SPECIAL_CHARS = ".[]{}()*+?^$|\\"


def regex_test(
    left: Expression, right: ast.Word, context: CompileContext
) -> Callable[[State], bool]:
    """`=~`, which leaves the match and its groups in BASH_REMATCH."""
    read = regex_reader(right, context)

    def matches(state: State) -> bool:
        text = left(state)
        found = match_groups(read(state), text, state, right)
        state.assign("BASH_REMATCH", ShellList(found))
        return bool(found)

    return matches


def match_groups(regex: Regex, text: str, state: State, node: ast.Word) -> list[str]:
    """The first match and its groups; nothing where there is none."""
    from keysh.text.regex.regex import RegexLimit  # noqa: PLC0415 - few scripts need it

    try:
        found = regex.search(text, tick=state.tick)
    except RegexLimit as limit:
        raise RuntimeDiagnostic(
            "E213", limit.message, regex.pattern, "a simpler expression"
        ).with_location(node) from None
    if found is None:
        return []
    return [found.group(number) or "" for number in range(regex.groups + 1)]


def regex_reader(word: ast.Word, context: CompileContext) -> Callable[[State], Regex]:
    """A word as a regular expression. Those that are made are remembered where they are read."""
    pieces = [piece for part in word.parts for piece in regex_pieces(part, context)]

    def made(state: State) -> Regex:
        from keysh.text.regex.regex import RegexError, regex_of  # noqa: PLC0415 - as above

        text = regex_text((read(state), quoted) for read, quoted in pieces)
        try:
            return regex_of(text, "extended", ignore_case=bool(state.flags & NOCASEMATCH))
        except RegexError as error:
            fact = f"no regular expression: {error.message}"
            raise RuntimeDiagnostic(
                "E213", fact, text, "escape the character, or quote it"
            ).with_location(word) from None

    if not all(is_constant_part(part) for part in word.parts):
        return made
    known: list[Regex | None] = [None, None]

    def kept(state: State) -> Regex:
        at = 1 if state.flags & NOCASEMATCH else 0
        found = known[at]
        if found is None:
            found = known[at] = made(state)
        return found

    return kept


def is_constant_part(part: Node) -> bool:
    """Whether a part is the same whatever the state."""
    return isinstance(part, ast.Text | ast.Quoted | ast.Glob)


def regex_pieces(part: Node, context: CompileContext) -> list[RegexPiece]:
    """A part as text, and whether it is quoted."""
    if isinstance(part, ast.DoubleQuoted):
        return [(context.part_text(inner), True) for inner in part.parts]
    if is_constant_part(part):
        text = unexpanded_text(part)
        return [(lambda state: text, isinstance(part, ast.Quoted))]
    return [(context.part_text(part), False)]


def regex_text(pieces: Iterable[tuple[str, bool]]) -> str:
    """One expression for pieces of (text, is quoted)."""
    texts: list[str] = []
    opened = -1  # where a bracket's first member stands, counted in what is made
    length = 0
    for text, is_quoted in pieces:
        if is_quoted:
            made = text if opened >= 0 else escaped_literal(text)
        else:
            made = text
            opened = open_bracket_after(text, opened, length)
        texts.append(made)
        length += len(made)
    return "".join(texts)


def escaped_literal(text: str) -> str:
    """The expression that matches a text only."""
    return "".join(f"\\{char}" if char in REGEX_SPECIAL_CHARS else char for char in text)


def open_bracket_after(text: str, opened: int, offset: int) -> int:
    """Where the bracket begins that is open behind a text, -1 without one."""
    at = 0
    while at < len(text):
        char = text[at]
        if opened < 0:
            if char == "\\":
                at += 1
            elif char == "[":
                at += text[at + 1 : at + 2] == "^"
                opened = offset + at + 1
        elif char == "[" and text[at + 1 : at + 2] in (":", ".", "="):
            end = text.find(text[at + 1] + "]", at + 2)
            at = end + 1 if end >= 0 else at
        elif char == "]" and offset + at > opened:
            opened = -1
        at += 1
    return opened
