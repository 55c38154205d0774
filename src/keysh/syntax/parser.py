"""The parser: a source becomes a syntax tree, or a ScriptError that says why not."""

from __future__ import annotations

from keysh.errors import Incomplete, ScriptError
from keysh.syntax import _tables, ast, build
from keysh.syntax.lalr import Parser, Unexpected, begin
from keysh.syntax.node import Trivia
from keysh.syntax.scanner import scan

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.source import Source
    from keysh.syntax.cursor import Cursor

# A production's builder has its name, with `_` behind a name that Python keeps for itself.
BUILDERS = {"begin": begin, "extend": list.extend}
PARSER = Parser(
    {
        name: getattr(build, name, None) or getattr(build, f"{name}_", None) or begin
        for _, _, name in _tables.RULES
    }
)


def parse(source: Source) -> ast.Script:
    """A script."""
    s, body = tree(source, "script")
    trivia = [
        Trivia(kind, a, b, source.text[a:b] if kind == "comment" else "")
        for kind, a, b in sorted(s.trivia, key=lambda item: item[1])
    ]
    return ast.Script(0, len(source.text), source, body, trivia)


def parse_arithmetic(source: Source) -> ast.Arithmetic | None:
    """The text of an arithmetic expression, which may be empty."""
    expression: ast.Arithmetic | None = tree(source, "arithmetic")[1]
    return expression


def parse_path(source: Source) -> ast.Reference:
    """A variable and the path into its value, as `unset` and `read` receive it."""
    path: ast.Reference = tree(source, "path")[1]
    return path


def parse_value(source: Source) -> ast.Value:
    """One value, as after `=`."""
    item: ast.Value = tree(source, "value")[1]
    return item


def tree(source: Source, start: str) -> tuple[Cursor, Any]:
    """What a start symbol makes of a text, and the scanner that read it."""
    s = scan(source, start)
    end = len(source.text)
    s.tokens.append(("$END", "", end, end))
    try:
        result = PARSER.parse(s.tokens, start)
    except Unexpected as unexpected:
        failed: int | None = unexpected.index
    else:
        failed = None
        if not s.diagnostics:
            return s, result
    from keysh.syntax.recover import diagnose  # noqa: PLC0415 - brings in Lark

    diagnostics, is_incomplete = diagnose(source, s, start, failed)
    raise Incomplete(diagnostics) if is_incomplete else ScriptError(diagnostics)
