"""The parser: a source becomes a syntax tree, or raises ScriptError.

source -- lexer/ --> tokens -- LalrParser and builders/ --> tree
                                        `-- on failure: errors/ finds the diagnostics
"""

from __future__ import annotations

import gc

from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.exceptions import Incomplete, ScriptError
from keysh.syntax import ast
from keysh.syntax.builders import builder
from keysh.syntax.lalr import LalrParser, ParseFailure
from keysh.syntax.lexer.cursor import NOTHING_REREAD
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.node import Trivia

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.diagnostics.source import Source
    from keysh.syntax.lexer.cursor import Cursor, Tick


MIN_PAUSED_TEXT_LENGTH = 10_000  # characters
MIN_AGED_TEXT_LENGTH = 200_000  # what is garbage by then gets old, too, and stays for longer
TRIVIA_PER_TICK = 4096
SCRIPT_PARSER = LalrParser(builder)


class GarbagePause:
    """Pauses garbage collection inside a `with` for a large text, unless it is off already.

    A growing tree holds no garbage, but collecting would take half of the parser's time. Three
    collections would visit the new tree before it counted as old, each of which stops all threads:
    0.2 s for 20,000 commands. Freezing and unfreezing makes all objects old without a visit; it is
    left out in a host that has frozen some itself.
    """

    __slots__ = ("_is_ours", "_length")

    def __init__(self, text: str) -> None:
        self._length, self._is_ours = len(text), False

    def __enter__(self) -> None:
        if self._length > MIN_PAUSED_TEXT_LENGTH and gc.isenabled():
            self._is_ours = True
            gc.disable()

    def __exit__(self, *_: object) -> None:
        if not self._is_ours:
            return
        if self._length > MIN_AGED_TEXT_LENGTH and gc.get_freeze_count() == 0:
            try:
                gc.freeze()
            finally:
                gc.unfreeze()
        gc.enable()


def parse(source: Source, tick: Tick | None = None) -> ast.Script:
    """Parse a script. `tick` is called again and again, and may end the work by an exception."""
    try:
        body, trivia = build_tree(source, "script", tick)
    except ScriptError as error:
        if not source.dialect.is_lenient:
            raise
        ended = parse_up_to_end(source, error.diagnostics[0].start, tick)
        if ended is None:
            raise
        return ended
    return ast.Script(0, len(source.text), source, body, trivia)


def parse_up_to_end(
    source: Source, first_error: int, tick: Tick | None = None
) -> ast.Script | None:
    """Parse a script of bash up to the line that ends it, if an error is only behind that."""
    from keysh.syntax.script_end import ends_script, shorter_sources  # noqa: PLC0415 - only for an error

    for part in shorter_sources(source, first_error):
        try:
            body, trivia = build_tree(part, "script", tick)
        except ScriptError:
            continue
        script = ast.Script(0, len(part.text), source, body, trivia)
        if ends_script(script):
            return script
    return None


def parse_arithmetic(source: Source, tick: Tick | None = None) -> ast.Arithmetic | None:
    """Parse an arithmetic expression, which may be empty."""
    expression: ast.Arithmetic | None = build_tree(source, "arithmetic", tick)[0]
    return expression


def parse_path(source: Source, tick: Tick | None = None) -> ast.Reference:
    """Parse a variable with subscripts, `user[name]`, as `unset` and `read` receive it."""
    path: ast.Reference = build_tree(source, "path", tick)[0]
    return path


def parse_value(source: Source, tick: Tick | None = None) -> ast.Value:
    """Parse one value, as after `=`."""
    item: ast.Value = build_tree(source, "value", tick)[0]
    return item


def build_tree(source: Source, start: str, tick: Tick | None = None) -> tuple[Any, list[Trivia]]:
    """Parse a text from a start symbol; return its tree and its comments and blank lines."""
    with GarbagePause(source.text):
        result, cursor, failed = scan_and_parse(source, start, NOTHING_REREAD, tick)
        if failed is None and not cursor.diagnostics:
            return result, sorted_trivia(source.text, cursor)
        is_bash = source.dialect is BASH
        if "((" in source.text or (is_bash and "${" in source.text):
            from keysh.syntax.rereading import parse_with_texts  # noqa: PLC0415 - few expressions need it

            again = parse_with_texts(source, start, cursor, failed, scan_and_parse, tick)
            if again is not None:
                return again[0], sorted_trivia(source.text, again[1])
        from keysh.syntax.errors.recover import diagnose  # noqa: PLC0415 - imports Lark

        diagnostics, is_incomplete = diagnose(source, cursor, start, failed, tick)
    raise Incomplete(diagnostics) if is_incomplete else ScriptError(diagnostics)


def scan_and_parse(
    source: Source, start: str, reread: Mapping[int, str], tick: Tick | None = None
) -> tuple[Any, Cursor, int | None]:
    """Return the tree, the scanner's cursor, and the index of the token that does not fit."""
    cursor = scan(source, start, reread, tick)
    end = len(source.text)
    cursor.tokens.append(("$END", "", end, end))
    try:
        return SCRIPT_PARSER.parse(cursor.tokens, start, tick), cursor, None
    except ParseFailure as failure:
        failed = next(i for i, token in enumerate(cursor.tokens) if token is failure.token)
        return None, cursor, failed


def sorted_trivia(text: str, cursor: Cursor) -> list[Trivia]:
    """Return comments, blank lines and broken lines in source order."""
    found: list[Trivia] = []
    for kind, start, end in sorted(cursor.trivia, key=lambda item: item[1]):
        if len(found) % TRIVIA_PER_TICK == 0 and found and cursor.tick is not None:
            cursor.tick()
        found.append(Trivia(kind, start, end, text[start:end] if kind == "comment" else ""))
    return found
