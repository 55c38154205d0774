"""Tree: a text becomes tokens, and these a tree; where they do not, the slow path says why."""

from __future__ import annotations

from keysh.errors import Incomplete, ScriptError
from keysh.syntax import _tables
from keysh.syntax.builders import builder
from keysh.syntax.lalr import Parser, Unexpected
from keysh.syntax.node import Trivia
from keysh.syntax.scanner import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.source import Source
    from keysh.syntax.cursor import Cursor

PARSER = Parser({name: builder(name) for name in _tables.BUILDERS})


def tree_of(source: Source, start: str) -> tuple[Any, list[Trivia]]:
    """What a start symbol makes of a text, and what in it is no syntax."""
    s = scan(source, start)
    end = len(source.text)
    s.tokens.append(("$END", "", end, end))
    failed: int | None = None
    try:
        result = PARSER.parse(s.tokens, start)
    except Unexpected as unexpected:
        failed = next(i for i, token in enumerate(s.tokens) if token is unexpected.token)
    if failed is None and not s.diagnostics:
        return result, trivia_of(source.text, s)
    from keysh.syntax.recover import diagnose  # noqa: PLC0415 - brings in Lark

    diagnostics, is_incomplete = diagnose(source, s, start, failed)
    raise Incomplete(diagnostics) if is_incomplete else ScriptError(diagnostics)


def trivia_of(text: str, s: Cursor) -> list[Trivia]:
    """Comments, blank lines and broken lines, in the order of the source."""
    return [
        Trivia(kind, start, end, text[start:end] if kind == "comment" else "")
        for kind, start, end in sorted(s.trivia, key=lambda item: item[1])
    ]
