"""Rereading: what bash makes of a `((` or a `${` that it cannot read as it is written.

`$((1 $op 2))` is an expression when it runs, so its text is kept; `((cmd) || (cmd))` are two
parentheses; `${x y}` is a bad substitution, and an error only if it is expanded.
"""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.source import Source
from keysh.syntax.builders import builder
from keysh.syntax.lalr import LalrParser, ParseFailure
from keysh.syntax.lexer.lexeme import Lexeme

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, TypeAlias

    from keysh.syntax.lexer.cursor import Cursor, Tick, Token

    ScanAndParse: TypeAlias = Callable[
        [Source, str, Mapping[int, str], Tick | None], tuple[Any, Cursor, int | None]
    ]

SUBSTITUTION_CODES = ("E106", "E110")
TOKENS_PER_TICK = 256  # each may be the beginning of an expression that is read again
PARSER = LalrParser(builder)
END_TOKEN: Token = ("$END", "", 0, 0)
EXPANSION_MARK = Lexeme(r"(?>(?:[^\\'$}]++|\$(?!\{))*)(\\.?|\$\{|['}])")
PARENTHESIS_MARK = Lexeme(r"[^\\'\"()]*+(\\.?|['\"()])")
OPENERS = {"ARITHMETIC_OPEN": "((", "EXPRESSION_OPEN": "$(("}


def parse_with_texts(
    source: Source,
    start: str,
    cursor: Cursor,
    failed: int | None,
    scan_and_parse: ScanAndParse,
    tick: Tick | None,
) -> tuple[Any, Cursor] | None:
    """Parse a script again and read otherwise what could not be read; None if that fails too.

    `failed` is the index of the token that did not fit. A scan stops at what it cannot read, so
    each round may find more.
    """
    reread: dict[int, str] = {}
    ends: dict[int, int | None] = {}
    while True:
        more = {
            offset: way
            for offset, way in (
                *misread_expressions(source, cursor, ends, scan_and_parse, tick).items(),
                *misread_substitutions(source, cursor, failed, tick),
            )
            if offset not in reread
        }
        if not more:
            return None
        reread.update(more)
        result, cursor, failed = scan_and_parse(source, start, reread, tick)
        if failed is None and not cursor.diagnostics:
            return result, cursor


def misread_expressions(
    source: Source,
    cursor: Cursor,
    ends: dict[int, int | None],
    scan_and_parse: ScanAndParse,
    tick: Tick | None,
) -> dict[int, str]:
    """Return the expressions of a scan that cannot be parsed, each with how to read it.

    `ends` keeps for the next round where parentheses are closed.
    """
    found: dict[int, str] = {}
    read_until = 0
    tokens = cursor.tokens
    for index, (kind, _, start, _) in enumerate(tokens):
        if tick is not None and index % TOKENS_PER_TICK == 0:
            tick()
        if (
            kind not in OPENERS
            or start < read_until
            or source.text.startswith("$[", start)
            or (index and tokens[index - 1][0] == "FOR")
        ):
            continue
        opener = OPENERS[kind]
        inner = text_inside(source.text, start + len(opener), ends)
        if inner is None:
            found[start] = "parentheses"
            continue
        if not source.dialect.evaluates_text:
            continue
        part = Source(inner, source.name, source.dialect)
        _, scanned, failed = scan_and_parse(part, "arithmetic", {}, tick)
        if failed is not None or scanned.diagnostics:
            found[start] = "text"
        else:  # with all that is nested in it
            read_until = start + len(opener) + len(inner)
    return found


def misread_substitutions(
    source: Source, cursor: Cursor, failed: int | None, tick: Tick | None
) -> Iterator[tuple[int, str]]:
    """Yield each `${` that encloses a mistake, with how to read it."""
    if source.dialect is not BASH:
        return
    mistakes = [one.start for one in cursor.diagnostics if one.code in SUBSTITUTION_CODES]
    if failed is not None:
        mistakes.append(cursor.tokens[failed][2])
        mistakes += mistakes_in_substitutions(cursor.tokens, tick)
    mistakes.sort(reverse=True)
    opened: list[int] = []
    judged = -1
    for kind, _, start, _ in cursor.tokens:
        while mistakes and mistakes[-1] <= start:
            mistakes.pop()
            if opened and opened[-1] != judged:
                judged = opened[-1]
                if end_of_expansion(source.text, judged + 2) is not None:
                    yield judged, "substitution"
        if kind == "EXPANSION_OPEN":
            opened.append(start)
        elif kind == "EXPANSION_CLOSE" and opened:
            opened.pop()


def mistakes_in_substitutions(tokens: list[Token], tick: Tick | None) -> Iterator[int]:
    """Yield where each `${…}` outside of others has a token that does not fit.

    The parser of the script stops at the first of them, and would take as many rounds.
    """
    depth = first = 0
    for index, (kind, _, start, end) in enumerate(tokens):
        if tick is not None and index % TOKENS_PER_TICK == 0:
            tick()
        if kind == "EXPANSION_OPEN":
            first = first if depth else index
            depth += 1
        elif kind == "EXPANSION_CLOSE" and depth:
            depth -= 1
            if not depth:
                word = ("WORD_OPEN", "", start, start), ("WORD_CLOSE", "", end, end)
                try:
                    PARSER.parse(
                        [word[0], *tokens[first : index + 1], word[1], END_TOKEN], tick=tick
                    )
                except ParseFailure as failure:
                    yield failure.token[2]


def end_of_expansion(text: str, offset: int) -> int | None:
    """Return where the `}` is that closes a `${` before an offset; None if there is none."""
    return closing_offsets(text, offset, EXPANSION_MARK, "${", "}")[offset]


def text_inside(text: str, offset: int, known: dict[int, int | None] | None = None) -> str | None:
    """Return the text up to the `))` that closes an expression; None if there is none.

    `known` keeps what was found for the parentheses inside, which the caller may ask for next.
    """
    known = {} if known is None else known
    if offset not in known:
        known.update(closing_offsets(text, offset, PARENTHESIS_MARK, "(", ")"))
    end = known[offset]
    return text[offset:end] if end is not None and text.startswith("))", end) else None


def closing_offsets(
    text: str, offset: int, marks: Lexeme, opener: str, closer: str
) -> dict[int, int | None]:
    """Return where what was opened before an offset is closed, and all that is opened inside.

    The keys are the offsets behind the openers; the value is None for what is not closed. `marks`
    matches up to the next opener, closer, quote or escaped character.
    """
    ends: dict[int, int | None] = {offset: None}
    opened, position = [offset], offset
    while opened and (found := marks.match(text, position)) is not None:
        mark, position = found[1], found.end()
        if mark == opener:
            ends[position] = None
            opened.append(position)
        elif mark == closer:
            ends[opened.pop()] = position - 1
        elif mark[0] != "\\":
            position = text.find(mark, position) + 1
            if not position:
                break
    return ends
