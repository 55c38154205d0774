"""Words of commands: plain or of pieces, reserved or not, by the place they stand in."""

from __future__ import annotations

from keysh.syntax.lexer.cursor import Cursor
from keysh.syntax.lexer.lexeme import Lexeme
from keysh.syntax.lexer.positions import (
    AFTER,
    ARGUMENT,
    ASSIGNED,
    BRACES_COUNT,
    CASE_IN,
    CLAUSE,
    CLOSED,
    END,
    ENTRY,
    FOR_IN,
    FOR_NAME,
    NAMED,
    PREFIX,
    RESERVED_COUNT,
    SPECIAL,
    START,
    TARGETS,
)
from keysh.syntax.lexer.quotes import NAME, VARIABLES, refuse_broken
from keysh.syntax.lexer.reserved import HEADS, RESERVED, loop_name
from keysh.syntax.lexer.words import open_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action

PLAIN = Lexeme(rf"[^{SPECIAL}]++{END}")
ENTRY_KEY = Lexeme(r"\[(?>(?:[^][]++|\[[^][]*+\])*)\]\+?=")
TARGET_PATH = Lexeme(rf"({NAME})(?=\[)")
WORD_IN_BRACKETS = Lexeme(rf"{NAME}\[[^][\s\"'$`\\]*+\](?!\[|\+?=)")
BROKEN_KEY = Lexeme(rf"{NAME}(?>(?:\\\n\w*+)+)\+?=")
JOINED = Lexeme(rf"([^{SPECIAL}=]++(?>(?:\\\n[^{SPECIAL}=]*+)+)){END}")  # a word over two lines


def word(s: Cursor, value: str, start: int) -> None:
    """A word of one plain piece, which may be reserved where it stands."""
    at = s.at
    if at <= CLOSED:
        if (reserved := RESERVED.get(value)) is not None:
            reserved(s, value, start)
            return
        s.head = len(s.tokens)
    elif at == FOR_NAME:
        loop_name(s, value, start)
        return
    elif at in (FOR_IN, CASE_IN, CLAUSE) and (value, at) in HEADS:
        HEADS[value, at](s, value, start)
        return
    s.tokens.append(("WORD", value, start, s.pos))
    s.at = AFTER[at]


def whole(kind: str) -> Action:
    """An action for a word that is one token of this type."""

    def one_token(s: Cursor, value: str, start: int) -> None:
        s.tokens.append((kind, value, start, s.pos))
        s.at = AFTER[s.at]

    return one_token


def interpolated(s: Cursor, value: str, start: int) -> None:
    """`"a $x b"`: its text and its names in turn."""
    s.emit("INTERPOLATED", VARIABLES.split(value), start)
    s.at = AFTER[s.at]


def composite(s: Cursor, value: str, start: int) -> None:
    """A word of several pieces; or, where a command begins, the path of `u[k]=v`."""
    at = s.at
    if at in (START, PREFIX) and (path := TARGET_PATH.match(s.text, start)):
        if not WORD_IN_BRACKETS.match(s.text, start):
            s.pos = path.end()
            s.emit("TARGET", path[1], start)
            s.mode = s.modes["target"]
            return
    elif at == ENTRY and ENTRY_KEY.match(s.text, start):
        s.pos = start
        s.mode = s.modes["entry"]
        return
    if s.has_joins and at in RESERVED_COUNT and (joined := JOINED.match(s.text, start)):
        s.pos = joined.end()
        word(s, joined[1].replace("\\\n", ""), start)
        return
    if s.has_joins and at in (START, PREFIX, ARGUMENT) and BROKEN_KEY.match(s.text, start):
        refuse_broken(s, start, "a name")
    s.at = AFTER[at]
    is_option = at == NAMED and s.tokens[-1][1].startswith("-")
    mode = "assigned" if at in (ASSIGNED, NAMED) and not is_option else "word"
    is_line = at in TARGETS and s.tokens[-1][1] == "<<<"  # a text, in which nothing multiplies
    open_word(s, start, mode, braces=at in BRACES_COUNT and not is_line)


def ordinary(s: Cursor, start: int) -> None:
    """A word that looks like something else, but not where it stands."""
    if plain := PLAIN.match(s.text, start):
        s.pos = plain.end()
        word(s, plain[0], start)
    else:
        composite(s, "", start)
