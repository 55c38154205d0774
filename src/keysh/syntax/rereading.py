"""Rereading: what a `((` is that holds no expression as it is written.

`((cmd) || (cmd))` are two parentheses. In the bash dialect `$((1 $op 2))` is an expression when it
runs, so its text is kept.
"""

from __future__ import annotations

from keysh.diagnostics.source import Source

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeAlias

    from keysh.syntax.lexer.cursor import Cursor

    ScanAndParse: TypeAlias = Callable[
        [Source, str, Mapping[int, str]], tuple[Any, Cursor, int | None]
    ]

OPENERS = {"ARITHMETIC_OPEN": "((", "EXPRESSION_OPEN": "$(("}


def parse_with_texts(
    source: Source,
    start: str,
    cursor: Cursor,
    scan_and_parse: ScanAndParse,
) -> tuple[Any, Cursor] | None:
    """Parse a script again, its expressions that are none read otherwise; None if that fails too.

    A scan stops at what it cannot read, so each round may find more.
    """
    reread: dict[int, str] = {}
    while True:
        more = {
            offset: way
            for offset, way in misread_expressions(source, cursor, scan_and_parse).items()
            if offset not in reread
        }
        if not more:
            return None
        reread.update(more)
        result, cursor, failed = scan_and_parse(source, start, reread)
        if failed is None and not cursor.diagnostics:
            return result, cursor


def misread_expressions(
    source: Source, cursor: Cursor, scan_and_parse: ScanAndParse
) -> dict[int, str]:
    """Return the expressions of a scan that cannot be parsed, each with how to read it."""
    found: dict[int, str] = {}
    tokens = cursor.tokens
    for index, (kind, _, start, _) in enumerate(tokens):
        if (
            kind not in OPENERS
            or source.text.startswith("$[", start)
            or (index and tokens[index - 1][0] == "FOR")
        ):
            continue
        opener = OPENERS[kind]
        inner = text_inside(source.text, start + len(opener))
        if inner is None:
            found[start] = "parentheses"
            continue
        if not source.dialect.evaluates_text:
            continue
        part = Source(inner, source.name, source.dialect)
        _, scanned, failed = scan_and_parse(part, "arithmetic", {})
        if failed is not None or scanned.diagnostics:
            found[start] = "text"
    return found


def text_inside(text: str, offset: int) -> str | None:
    """Return the text up to the `))` that closes an expression; None if there is none."""
    depth, position = 0, offset
    while position < len(text):
        char = text[position]
        if char == "\\":
            position += 1
        elif char in "'\"":
            position = text.find(char, position + 1)
            if position < 0:
                return None
        elif char == "(":
            depth += 1
        elif char == ")" and depth:
            depth -= 1
        elif char == ")":
            return text[offset:position] if text.startswith("))", position) else None
        position += 1
    return None
