"""Highlighting: which part of a text is what, as the real scanner sees it."""

from __future__ import annotations

import re

from keysh.syntax.roles import WordRoles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from keysh.syntax.draft import Draft

    Span: TypeAlias = tuple[int, int, str]  # start, end, style

KINDS = {
    "keyword": (
        "IF", "THEN", "ELIF", "ELSE", "FI", "WHILE", "UNTIL", "FOR", "IN", "DO", "DONE", "CASE",
        "ESAC", "LEFT_BRACE", "RIGHT_BRACE", "TIME", "BANG", "TEST_OPEN", "TEST_CLOSE",
        "ARITHMETIC_OPEN", "ARITHMETIC_CLOSE",
    ),
    "operator": (
        "AMPERSAND", "AND_IF", "OR_IF", "PIPE", "REDIRECT", "FD", "HEREDOC_OPEN", "CLAUSE_END",
        "LEFT_PAREN", "RIGHT_PAREN", "PATTERN_CLOSE", "PATTERN_OR", "TEST_UNARY", "TEST_BINARY",
        "TEST_IN",
    ),
    "string": ("SINGLE", "DOUBLE", "ANSI", "ESCAPED", "DOUBLE_OPEN", "DOUBLE_CLOSE"),
    "variable": (
        "VARIABLE", "NAME", "EXPANSION_OPEN", "EXPANSION_CLOSE", "SUBSCRIPT_OPEN",
        "SUBSCRIPT_CLOSE", "SUBSCRIPT", "PARAMETER_NAME", "ASSIGN", "TARGET", "ASSIGN_AT",
        "EMPTY_ASSIGN", "EMPTY_ASSIGN_AT", "OPERATOR",
    ),
    "key": ("KEY", "EMPTY_KEY"),
    "substitution": (
        "SUBSTITUTION_OPEN", "SUBSTITUTION_CLOSE", "PROCESS_OPEN", "EXPRESSION_OPEN",
        "EXPRESSION_CLOSE",
    ),
    "glob": ("GLOB", "TILDE", "BRACE_OPEN", "BRACE_COMMA", "BRACE_CLOSE", "BRACE_RANGE",
             "EXTGLOB_OPEN", "EXTGLOB_OR", "EXTGLOB_CLOSE"),
    "function": ("FUNCTION", "FUNCTION_DECLARED"),
    "type": ("TYPE", "A_NUMBER"),
}  # fmt: skip
STYLES = {kind: style for style, kinds in KINDS.items() for kind in kinds}

# A token of these begins before its text does, by what opens it.
OPENED = {"SINGLE": 1, "DOUBLE": 1, "ANSI": 1, "VARIABLE": 1, "ESCAPED": 1, "SUBSCRIPT": 1}
VARIABLE = re.compile(r"\$(?:\w+|\{[^}]*\}|[*@#?$!-])")


def spans(text: str, draft: Draft, is_known: Callable[[str], bool]) -> list[Span]:
    """The parts that have a style, in order; `is_known` tells whether there is such a command."""
    found: list[Span] = [(start, end, "comment") for start, end in draft.comments]
    names = WordRoles(draft.tokens).name_indexes
    inside = 0  # how many double quotes are open
    for index, (kind, value, start, end) in enumerate(draft.tokens):
        if kind == "WORD":
            if index in names:
                found.append((start, end, "command" if is_known(value) else "unknown"))
            elif value[:1] == "-":
                found.append((start, end, "option"))
        elif kind == "INTERPOLATED":
            found += interpolated(text, start - 1, end)
        elif kind == "TEXT" and inside:
            found.append((start, end, "string"))
        elif (style := STYLES.get(kind)) is not None:
            inside += (kind == "DOUBLE_OPEN") - (kind == "DOUBLE_CLOSE")
            before = OPENED.get(kind, 0)
            if kind == "VARIABLE" and text[start - 1 : start] == "{":
                before = 2
            found.append((start - before, end, style))
    found.sort()
    return found


def interpolated(text: str, start: int, end: int) -> Iterator[Span]:
    """The parts of `"a $x b"`."""
    at = start
    for match in VARIABLE.finditer(text, start, end):
        yield at, match.start(), "string"
        yield match.start(), match.end(), "variable"
        at = match.end()
    yield at, end, "string"


def fragments(text: str, parts: Iterable[Span], wrong: Iterable[tuple[int, int]]) -> list[Span]:
    """All of a text in spans that follow one another; what is wrong has two styles."""
    made: list[Span] = []
    at = 0
    for start, end, style in parts:
        begin = max(at, start)
        if end <= begin:
            continue
        if begin > at:
            made.append((at, begin, ""))
        made.append((begin, end, style))
        at = end
    if at < len(text):
        made.append((at, len(text), ""))
    for first, last in wrong:
        made = [piece for span in made for piece in marked(span, first, max(last, first + 1))]
    return made


def marked(span: Span, first: int, last: int) -> Iterator[Span]:
    """A span, and the part of it that is wrong with one more style."""
    start, end, style = span
    a, z = max(start, first), min(end, last)
    if a >= z:
        yield span
        return
    if start < a:
        yield start, a, style
    yield a, z, f"{style} wrong".lstrip()
    if z < end:
        yield z, end, style
