"""Recovery: after a syntax error, Lark's interactive parser tells what was expected.

Parsing goes on after the statement that failed, for up to five errors. The module is imported only
then: Lark takes longer to load than most scripts take to run.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark, Token, UnexpectedToken
from lark.lexer import Lexer

from keysh.diagnostics.diagnostic import Diagnostic
from keysh.diagnostics.display import shorten
from keysh.syntax.errors.complaints import diagnostics_at
from keysh.syntax.errors.openers import (
    CLOSERS,
    LOOP_OPENERS,
    OPENERS,
    OPENERS_BY_WORD,
    STATEMENT_ENDS,
    OpenConstructs,
    constructs_open_before,
    owner_depth,
)
from keysh.syntax.errors.unclosed import likelier_quote
from keysh.syntax.errors.unexpected import Unexpected
from keysh.syntax.lexer.heredocs import missing_end_fix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.diagnostics.source import Source
    from keysh.syntax.lexer.cursor import Cursor, Tick
    from keysh.syntax.lexer.cursor import Token as ScanToken

GRAMMAR_FILE = Path(__file__).parents[1] / "keysh.lark"
START_SYMBOLS = ["script", "arithmetic", "path", "value"]
MAX_REPORTED_ERRORS = 5
MAX_REPLAYED_TOKENS = 50_000  # tokens for Lark, at 4 us each
TOKENS_PER_TICK = 1000

# Constructs that may be reported as unclosed despite earlier errors.
OPENING_WORDS = ("if", "while", "until", "for", "case", "{", "(")

# Where a skipped statement ends, besides at `;` and the like.
BLOCK_END_TOKENS = frozenset((*OPENERS_BY_WORD, "$END"))


class NoLexer(Lexer):
    """Stands for a lexer: the scanner has produced the tokens already."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, *_: object) -> Any:
        """Produce no tokens."""
        return iter(())


@cache
def lark_parser() -> Lark:
    """Return Lark's parser for the grammar."""
    return Lark(
        GRAMMAR_FILE.read_text("utf-8"),
        parser="lalr",
        lexer=NoLexer,
        strict=True,
        start=START_SYMBOLS,
    )


def diagnose(
    source: Source, cursor: Cursor, start: str, failed: int | None, tick: Tick | None = None
) -> tuple[list[Diagnostic], bool]:
    """Return a text's diagnostics, and whether more lines may complete it."""
    scanned = list(cursor.diagnostics)
    if scanned and scanned[-1].code == "E114":
        return scanned[-1:], False  # about the whole file
    parsed, at_end = (
        syntax_errors(source, cursor, start, failed, tick) if failed is not None else ([], [])
    )
    if cursor.is_stopped:  # at an unclosed construct
        parsed = [error for error in parsed if error.start < scanned[-1].start]
    errors = [*scanned, *parsed]
    if at_end and cursor.is_incomplete and not cursor.is_stopped:
        at_end = [unclosed_heredoc(cursor)]  # it holds what would have closed the constructs
    if errors:  # an unclosed construct may follow from an earlier error
        at_end = (
            [] if cursor.is_stopped else [e for e in at_end if is_independent(e, scanned, errors)]
        )
    is_incomplete = not parsed and (not scanned or (cursor.is_incomplete and len(scanned) == 1))
    is_incomplete &= start == "script" and all(error.code != "E116" for error in at_end)
    found = [likelier_quote(source, cursor.tokens, error) for error in (*errors, *at_end)]
    return first_of_each_line(source, found)[:MAX_REPORTED_ERRORS], is_incomplete


def unclosed_heredoc(cursor: Cursor) -> Diagnostic:
    """Return the error of the first heredoc that the end of the text has ended."""
    heredoc = next(one for one in cursor.heredocs if one.is_unclosed)
    text = cursor.text[heredoc.start : heredoc.end]
    fix = missing_end_fix(cursor, heredoc, heredoc.offsets[0])
    return Diagnostic("E103", cursor.source, heredoc.start, heredoc.end, "not closed",
                      f"`{shorten(text)}`", fix)  # fmt: skip


def is_independent(error: Diagnostic, scanned: list[Diagnostic], others: list[Diagnostic]) -> bool:
    """Whether an unclosed construct is an error of its own: no other error is inside it, and none
    has misled the scanner about quotes or brackets.
    """
    opener = error.source.text[error.start : error.end]
    is_word = opener in OPENING_WORDS
    return (is_word or not scanned) and all(other.start < error.start for other in others)


def first_of_each_line(source: Source, found: list[Diagnostic]) -> list[Diagnostic]:
    """Keep one error a line, since others may follow from it; an unclosed opener comes last."""
    lines: dict[int, Diagnostic] = {}
    for error in sorted(found, key=lambda error: (error.code == "E102", error.start)):
        lines.setdefault(source.position(error.start)[0], error)
    return [lines[number] for number in sorted(lines)]


def syntax_errors(
    source: Source, scanned: Cursor, start: str, failed: int, tick: Tick | None
) -> tuple[list[Diagnostic], list[Diagnostic]]:
    """Return the parser's errors, the first at a known token, and those at the end of the text."""
    tokens = scanned.tokens
    errors: list[Diagnostic] = []
    start_index = statement_start(tokens, failed) if start == "script" else 0
    if failed - start_index > MAX_REPLAYED_TOKENS:
        last = diagnostics_at(
            Unexpected(source, tokens, failed, frozenset(), constructs_open_before(tokens, failed))
        )
        return ([], last) if tokens[failed][0] == "$END" else (last, [])
    interactive: Any = lark_parser().parse_interactive("", start=start)
    i = start_index
    while (
        len(errors) < MAX_REPORTED_ERRORS
        and i < len(tokens)
        and i - start_index < MAX_REPLAYED_TOKENS
    ):
        if tick is not None and (i - start_index) % TOKENS_PER_TICK == 0:
            tick()
        try:
            interactive.feed_token(Token(tokens[i][0], ""))
        except UnexpectedToken:
            if tick is not None:
                tick()
            expected = frozenset(interactive.accepts())
            unexpected = Unexpected(
                source, tokens, i, expected, constructs_open_before(tokens, i), start
            )
            if tokens[i][0] == "$END":
                return errors, [
                    nearer_opener(source, scanned, error) for error in diagnostics_at(unexpected)
                ]
            errors.extend(diagnostics_at(unexpected))
            if start != "script":
                break
            i = resume_parsing(interactive, unexpected)
        else:
            i += 1
    return errors, []


def nearer_opener(source: Source, scanned: Cursor, error: Diagnostic) -> Diagnostic:
    """Return the error at a bracket inside text, as in a regular expression, if that is open."""
    if error.code != "E102" or not scanned.stack:
        return error
    opener, start, _, _, _ = scanned.stack[-1]
    if opener not in ("(", "[") or start <= error.start:
        return error
    closer = {"(": ")", "[": "]"}[opener]
    return Diagnostic(
        "E102", source, start, start + 1, "not closed", f"`{opener}`", f"add `{closer}`"
    )


def statement_start(tokens: list[ScanToken], failed: int) -> int:
    """Return the index at which the outermost statement around a token begins."""
    statement = depth = 0
    for i in range(failed):
        kind = tokens[i][0]
        if kind in OPENERS:
            depth += 1
        elif kind in CLOSERS:
            depth -= 1
        elif depth == 0 and kind in STATEMENT_ENDS:
            statement = i + 1
    return statement


# ---------------------------------------------------------------- going on


def resume_parsing(interactive: Any, unexpected: Unexpected) -> int:
    """Bring the parser to a state where it can continue; return the index of the next token."""
    tokens, i, kind = unexpected.tokens, unexpected.index, unexpected.kind
    frame = unexpected.frames[-1] if unexpected.frames else None
    if (
        frame is not None
        and frame.kind in ("IF", *LOOP_OPENERS)
        and frame.part not in ("THEN", "DO")
    ):
        part = "THEN" if frame.kind == "IF" else "DO"
        if kind in ("THEN", "DO") and kind != part:  # `do` for `then`, or the other way round
            tokens[i] = (part, *tokens[i][1:])
            is_ready = part in unexpected.expected or reset_to_block(
                interactive, len(unexpected.frames)
            )
            return i if is_ready else len(tokens)
        if (
            part in unexpected.expected
            and "IN" not in unexpected.expected
            and kind not in OPENERS_BY_WORD
        ):
            is_body = any(tokens[at][1] == "{" for at in frame.arguments)
            tokens.insert(i, ("LEFT_BRACE" if is_body else part, "", *tokens[i][2:3] * 2))
            return i
        if kind == "RIGHT_BRACE" and any(tokens[at][1] == "{" for at in frame.arguments):
            unexpected.frames.pop()  # `while a { b; }`
            reset_to_block(interactive, len(unexpected.frames))
            return next_statement_index(unexpected, open_count(interactive), skips=True)
    depth = owner_depth(kind, unexpected.frames)
    if not reset_to_block(interactive, len(unexpected.frames) if depth < 0 else depth + 1):
        return len(tokens)
    accepted = interactive.accepts() if kind in OPENERS_BY_WORD else ()
    if kind in accepted:
        return i
    if depth < 0 and frame is not None and frame.closer in accepted and is_never_closed(unexpected):
        tokens[i] = (frame.closer, *tokens[i][1:])  # the wrong closer in the right position
        return i
    if depth >= 0 and kind in CLOSERS and not reset_to_block(interactive, depth):
        return len(tokens)  # it ends an incomplete construct
    return next_statement_index(unexpected, open_count(interactive), skips=kind in OPENERS_BY_WORD)


def is_never_closed(unexpected: Unexpected) -> bool:
    """Whether no later token closes the innermost opener."""
    openers = OpenConstructs(unexpected.frames)
    for index in range(
        unexpected.index + 1, min(unexpected.index + MAX_REPLAYED_TOKENS, len(unexpected.tokens))
    ):
        kind, value, _, _ = unexpected.tokens[index]
        openers.take_token(index, kind, value)
        if len(openers.stack) < len(unexpected.frames):
            return False
    return True


def open_count(interactive: Any) -> int:
    """Return the number of openers on the parser's stack."""
    openers = OpenConstructs()
    for token in interactive.parser_state.value_stack:
        if isinstance(token, Token) and token.type != "WORD_OPEN":
            openers.take_token(0, token.type)
    return len(openers.stack)


def reset_to_block(interactive: Any, keep: int) -> bool:
    """Unwind the parser to a block inside at most `keep` openers, and feed it a statement;
    return whether that was possible.
    """
    state = interactive.parser_state
    table = state.parse_conf.parse_table.states
    while state.state_stack:
        if "and_or" in {str(symbol) for symbol in table[state.state_stack[-1]]} and (
            open_count(interactive) <= keep
        ):
            for kind in ("WORD", "SEPARATOR"):
                try:
                    interactive.feed_token(Token(kind, ""))
                except UnexpectedToken:
                    return False
            return True
        if len(state.state_stack) == 1:
            return False
        state.state_stack.pop()
        state.value_stack.pop()
    return False


def next_statement_index(unexpected: Unexpected, level: int, *, skips: bool) -> int:
    """Return the index of the next statement after a failed token, or of the word that ends its
    block; a word that ends something else is skipped.
    """
    openers = OpenConstructs(unexpected.frames)
    for index in range(unexpected.index, len(unexpected.tokens)):
        kind, value, _, _ = unexpected.tokens[index]
        if len(openers.stack) <= level and not (skips and index == unexpected.index):
            if kind in STATEMENT_ENDS:
                return index + 1
            if kind in BLOCK_END_TOKENS:
                return index
        openers.take_token(index, kind, value)
    return len(unexpected.tokens)
