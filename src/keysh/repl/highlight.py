"""Syntax highlighting: the styled spans of a text, from the tokens of the real scanner."""

from __future__ import annotations

import re

from keysh.syntax.word_roles import WordRoles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from keysh.syntax.draft import Draft

    Span: TypeAlias = tuple[int, int, str]  # start, end, style

STYLE_TOKENS = {
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
TOKEN_STYLES = {kind: style for style, kinds in STYLE_TOKENS.items() for kind in kinds}

# The characters before the text of a token that open it, such as a quote.
OPENER_WIDTHS = {"SINGLE": 1, "DOUBLE": 1, "ANSI": 1, "VARIABLE": 1, "ESCAPED": 1, "SUBSCRIPT": 1}
VARIABLE_PATTERN = re.compile(r"\$(?:\w+|\{[^}]*\}|[*@#?$!-])")


def highlight_spans(text: str, draft: Draft, is_known: Callable[[str], bool]) -> list[Span]:
    """Return the spans that have a style, in order; `is_known` says whether a command exists."""
    styled: list[Span] = [(start, end, "comment") for start, end in draft.comments]
    names = WordRoles(draft.tokens).name_indexes
    quote_depth = 0  # open double quotes
    for index, (kind, value, start, end) in enumerate(draft.tokens):
        if kind == "WORD":
            if index in names:
                styled.append((start, end, "command" if is_known(value) else "unknown"))
            elif value[:1] == "-":
                styled.append((start, end, "option"))
        elif kind == "INTERPOLATED":
            styled += interpolated_spans(text, start - 1, end)
        elif kind == "TEXT" and quote_depth:
            styled.append((start, end, "string"))
        elif (style := TOKEN_STYLES.get(kind)) is not None:
            quote_depth += (kind == "DOUBLE_OPEN") - (kind == "DOUBLE_CLOSE")
            opener_width = OPENER_WIDTHS.get(kind, 0)
            if kind == "VARIABLE" and text[start - 1 : start] == "{":
                opener_width = 2
            styled.append((start - opener_width, end, style))
    styled.sort()
    return styled


def interpolated_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of `"a $x b"`."""
    position = start
    for match in VARIABLE_PATTERN.finditer(text, start, end):
        yield position, match.start(), "string"
        yield match.start(), match.end(), "variable"
        position = match.end()
    yield position, end, "string"


def fragments(text: str, spans: Iterable[Span], errors: Iterable[tuple[int, int]]) -> list[Span]:
    """Return adjacent spans that cover a text; those in an error have a second style."""
    covering: list[Span] = []
    covered = 0
    for start, end, style in spans:
        begin = max(covered, start)
        if end <= begin:
            continue
        if begin > covered:
            covering.append((covered, begin, ""))
        covering.append((begin, end, style))
        covered = end
    if covered < len(text):
        covering.append((covered, len(text), ""))
    for first, last in errors:
        last = max(last, first + 1)
        covering = [part for span in covering for part in spans_with_error(span, first, last)]
    return covering


def spans_with_error(span: Span, first: int, last: int) -> Iterator[Span]:
    """Split a span so that the part inside an error has the style `wrong` too."""
    start, end, style = span
    error_start, error_end = max(start, first), min(end, last)
    if error_start >= error_end:
        yield span
        return
    if start < error_start:
        yield start, error_start, style
    yield error_start, error_end, f"{style} wrong".lstrip()
    if error_end < end:
        yield error_end, end, style
