"""Recovery: when a script does not parse, Lark's interactive parser says what was expected, and
the parser goes on behind the statement that failed, for up to five errors.

Imported only then: Lark takes longer to load than most scripts take to run.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lark import Lark, Token, UnexpectedToken
from lark.lexer import Lexer

from keysh.diagnostics import Diagnostic
from keysh.syntax.complaints import complaint
from keysh.syntax.openers import CLOSERS, OPENERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.source import Source
    from keysh.syntax import cursor

GRAMMAR = Path(__file__).parent / "keysh.lark"
STARTS = ["script", "arithmetic", "path", "value"]
COMPLETABLE = ("E102", "E104", "E117")  # what more lines may mend
MOST = 5  # errors reported at once
REPLAY = 50_000  # tokens that Lark, at 4 us each, may see

ENDS = ("SEPARATOR", "AMPERSAND")
BLOCK_ENDS = frozenset(
    (*["FI", "DONE", "ESAC", "RIGHT_BRACE", "RIGHT_PAREN", "SUBSTITUTION_CLOSE", "CLAUSE_END"],
     *["THEN", "ELIF", "ELSE", "DO", "$END"])
)  # fmt: skip


class NoLexer(Lexer):
    """The scanner has made the tokens already."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, *_: object) -> Any:
        """Give no tokens."""
        return iter(())


@cache
def parser() -> Lark:
    """Lark's own parser for the grammar."""
    return Lark(GRAMMAR.read_text(), parser="lalr", lexer=NoLexer, strict=True, start=STARTS)


def diagnose(
    source: Source, s: cursor.Cursor, start: str, failed: int | None
) -> tuple[list[Diagnostic], bool]:
    """What is wrong with a text, and whether more text may complete it."""
    found = list(s.diagnostics)
    is_incomplete = s.is_incomplete and len(found) == 1
    lines = {source.position(diagnostic.start)[0] for diagnostic in found}
    errors = [] if failed is None else syntax_errors(source, s.tokens, start, failed)
    for error, at_end in errors:
        line = source.position(error.start)[0]
        if line in lines or (at_end and found):
            continue  # one error a line: the next may only follow from it, as an end may
        lines.add(line)
        found.append(error)
        is_incomplete = at_end and error.code in COMPLETABLE
    found.sort(key=lambda diagnostic: diagnostic.start)
    return found[:MOST], is_incomplete and len(found) == 1


def syntax_errors(
    source: Source, tokens: list[cursor.Token], start: str, failed: int
) -> list[tuple[Diagnostic, bool]]:
    """The parser's errors, the first at a known token; each with whether the text's end is it."""
    errors: list[tuple[Diagnostic, bool]] = []
    begin = statement_before(tokens, failed)
    if start != "script" or failed - begin > REPLAY:
        at_end = tokens[failed][0] == "$END"
        return [(complaint(source, tokens, failed, frozenset()), at_end)]
    interactive = parser().parse_interactive("", start=start)
    i = begin
    while len(errors) < MOST and i < len(tokens) and i - begin < REPLAY:
        try:
            interactive.feed_token(Token(tokens[i][0], ""))
        except UnexpectedToken:
            at_end = tokens[i][0] == "$END"
            expected = frozenset(interactive.accepts())
            errors.append((complaint(source, tokens, i, expected), at_end))
            if at_end or not reset(interactive):
                break
            is_stray = tokens[i][0] in BLOCK_ENDS and tokens[i][0] not in interactive.accepts()
            i = next_statement(tokens, i + is_stray)
        else:
            i += 1
    return errors


def statement_before(tokens: list[cursor.Token], failed: int) -> int:
    """The index at which the outermost statement around a token begins."""
    begin = depth = 0
    for i in range(failed):
        kind = tokens[i][0]
        if kind in OPENERS:
            depth += 1
        elif kind in CLOSERS:
            depth -= 1
        elif depth == 0 and kind in ENDS:
            begin = i + 1
        if depth < 0:  # a stray closing word: what came before it tells nothing any more
            depth = 0
    return begin


def reset(interactive: Any) -> bool:
    """Go back to where the innermost block can take another statement, and give it one."""
    state = interactive.parser_state
    table = state.parse_conf.parse_table.states
    while state.state_stack:
        if "and_or" in {str(symbol) for symbol in table[state.state_stack[-1]]}:
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


def next_statement(tokens: list[cursor.Token], i: int) -> int:
    """Where the statement behind a failed one begins, or the word that ends its block."""
    depth = 0
    while i < len(tokens):
        kind = tokens[i][0]
        if depth <= 0 and kind in ENDS:
            return i + 1
        if depth <= 0 and kind in BLOCK_ENDS:
            return i
        if kind in OPENERS:
            depth += 1
        elif kind in CLOSERS:
            depth -= 1
        i += 1
    return i
