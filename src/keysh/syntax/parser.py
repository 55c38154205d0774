"""The parser: a source becomes a syntax tree, or a ScriptError that says why not."""

from __future__ import annotations

import gc

from keysh.diagnostics.errors import Incomplete, ScriptError
from keysh.syntax import _tables, ast
from keysh.syntax.builders import builder
from keysh.syntax.lalr import LalrParser, ParseFailure
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.node import Trivia
from keysh.syntax.plain import plain_block

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.diagnostics.source import Source
    from keysh.syntax.lexer.cursor import Cursor


MIN_PAUSED_TEXT_LENGTH = 10_000  # characters


class GarbagePause:
    """The collector of garbage pauses `with` a large text in hand, unless it does already.

    All stays of the tree that grows, and of what is made of that to run: the collector's passes
    would find nothing, in half of the time.
    """

    __slots__ = ("_is_large", "_is_ours")

    def __init__(self, text: str) -> None:
        self._is_large, self._is_ours = len(text) > MIN_PAUSED_TEXT_LENGTH, False

    def __enter__(self) -> None:
        if self._is_large and gc.isenabled():
            self._is_ours = True
            gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            gc.enable()


def parse(source: Source) -> ast.Script:
    """A script."""
    trivia: list[Trivia] = []
    body = plain_block(source.text)
    if body is None:
        body, trivia = tree(source, "script")
    return ast.Script(0, len(source.text), source, body, trivia)


def parse_arithmetic(source: Source) -> ast.Arithmetic | None:
    """The text of an arithmetic expression, which may be empty."""
    expression: ast.Arithmetic | None = tree(source, "arithmetic")[0]
    return expression


def parse_path(source: Source) -> ast.Reference:
    """A variable and the path into its value, as `unset` and `read` receive it."""
    path: ast.Reference = tree(source, "path")[0]
    return path


def parse_value(source: Source) -> ast.Value:
    """One value, as after `=`."""
    item: ast.Value = tree(source, "value")[0]
    return item


def tree(source: Source, start: str) -> tuple[Any, list[Trivia]]:
    """What a start symbol makes of a text, and what in it is no syntax."""

    with GarbagePause(source.text):
        return build_tree(source, start)


# Tree: a text becomes tokens, and these a tree; where they do not, the slow path says why.

SCRIPT_PARSER = LalrParser({name: builder(name) for name in _tables.BUILDERS})


def build_tree(source: Source, start: str) -> tuple[Any, list[Trivia]]:
    """What a start symbol makes of a text, and what in it is no syntax."""
    s = scan(source, start)
    end = len(source.text)
    s.tokens.append(("$END", "", end, end))
    failed: int | None = None
    try:
        result = SCRIPT_PARSER.parse(s.tokens, start)
    except ParseFailure as unexpected:
        failed = next(i for i, token in enumerate(s.tokens) if token is unexpected.token)
    if failed is None and not s.diagnostics:
        return result, sorted_trivia(source.text, s)
    from keysh.syntax.errors.recover import diagnose  # noqa: PLC0415 - brings in Lark

    diagnostics, is_incomplete = diagnose(source, s, start, failed)
    raise Incomplete(diagnostics) if is_incomplete else ScriptError(diagnostics)


def sorted_trivia(text: str, s: Cursor) -> list[Trivia]:
    """Comments, blank lines and broken lines, in the order of the source."""
    return [
        Trivia(kind, start, end, text[start:end] if kind == "comment" else "")
        for kind, start, end in sorted(s.trivia, key=lambda item: item[1])
    ]
