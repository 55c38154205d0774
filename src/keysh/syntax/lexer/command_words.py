"""Words of commands: plain or composite, reserved or not, by their position."""

from __future__ import annotations

from keysh.syntax.lexer.cursor import Cursor
from keysh.syntax.lexer.lexeme import Lexeme
from keysh.syntax.lexer.positions import (
    AFTER_CLOSER,
    ARGUMENT,
    ARRAY_ENTRY,
    ASSIGNED_VALUE,
    BEFORE_NAME,
    BRACE_POSITIONS,
    CASE_CLAUSE,
    CASE_IN,
    COMMAND_START,
    FOR_IN,
    FOR_NAME,
    NAMED_VALUE,
    POSITION_AFTER_WORD,
    RESERVED_POSITIONS,
    TARGET_POSITIONS,
    WORD_END,
    WORD_SPECIALS,
)
from keysh.syntax.lexer.quotes import NAME_SYNTAX, VARIABLE_SPLITTER, refuse_broken
from keysh.syntax.lexer.reserved import HEAD_KEYWORDS, RESERVED_WORDS, loop_name
from keysh.syntax.lexer.words import open_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.lexer.cursor import Action

PLAIN_WORD = Lexeme(rf"[^{WORD_SPECIALS}]++{WORD_END}")
ENTRY_KEY = Lexeme(r"\[(?>(?:[^][]++|\[[^][]*+\])*)\]\+?=")
TARGET_PATH = Lexeme(rf"({NAME_SYNTAX})(?=\[)")
WORD_IN_BRACKETS = Lexeme(rf"{NAME_SYNTAX}\[[^][\s\"'$`\\]*+\](?!\[|\+?=)")
BROKEN_KEY = Lexeme(rf"{NAME_SYNTAX}(?>(?:\\\n\w*+)+)\+?=")
JOINED_WORD = Lexeme(
    rf"([^{WORD_SPECIALS}=]++(?>(?:\\\n[^{WORD_SPECIALS}=]*+)+)){WORD_END}"
)  # a word over two lines


def plain_word(s: Cursor, value: str, start: int) -> None:
    """A word of one plain piece, which may be reserved in this position."""
    at = s.word_position
    if at <= AFTER_CLOSER:
        if (reserved := RESERVED_WORDS.get(value)) is not None:
            reserved(s, value, start)
            return
        s.head = len(s.tokens)
    elif at == FOR_NAME:
        loop_name(s, value, start)
        return
    elif at in (FOR_IN, CASE_IN, CASE_CLAUSE) and (value, at) in HEAD_KEYWORDS:
        HEAD_KEYWORDS[value, at](s, value, start)
        return
    s.tokens.append(("WORD", value, start, s.offset))
    s.word_position = POSITION_AFTER_WORD[at]


def one_token_word(kind: str) -> Action:
    """Return an action for a word that is one token."""

    def one_token(s: Cursor, value: str, start: int) -> None:
        s.tokens.append((kind, value, start, s.offset))
        s.word_position = POSITION_AFTER_WORD[s.word_position]

    return one_token


def double_quoted_word(s: Cursor, value: str, start: int) -> None:
    """`"a $x b"`: its text and its names in turn."""
    s.emit("INTERPOLATED", VARIABLE_SPLITTER.split(value), start)
    s.word_position = POSITION_AFTER_WORD[s.word_position]


def composite_word(s: Cursor, value: str, start: int) -> None:
    """A word of several pieces; or, at the start of a command, the path of `u[k]=v`."""
    at = s.word_position
    if at in (COMMAND_START, BEFORE_NAME) and (path := TARGET_PATH.match(s.text, start)):
        if not WORD_IN_BRACKETS.match(s.text, start):
            s.offset = path.end()
            s.emit("TARGET", path[1], start)
            s.mode = s.modes["target"]
            return
    elif at == ARRAY_ENTRY and ENTRY_KEY.match(s.text, start):
        s.offset = start
        s.mode = s.modes["entry"]
        return
    if s.has_joins and at in RESERVED_POSITIONS and (joined := JOINED_WORD.match(s.text, start)):
        s.offset = joined.end()
        plain_word(s, joined[1].replace("\\\n", ""), start)
        return
    if (
        s.has_joins
        and at in (COMMAND_START, BEFORE_NAME, ARGUMENT)
        and BROKEN_KEY.match(s.text, start)
    ):
        refuse_broken(s, start, "a name")
    s.word_position = POSITION_AFTER_WORD[at]
    is_option = at == NAMED_VALUE and s.tokens[-1][1].startswith("-")
    mode = "assigned" if at in (ASSIGNED_VALUE, NAMED_VALUE) and not is_option else "word"
    is_line = (
        at in TARGET_POSITIONS and s.tokens[-1][1] == "<<<"
    )  # a string, in which braces do not count
    open_word(s, start, mode, braces=at in BRACE_POSITIONS and not is_line)


def ordinary_word(s: Cursor, start: int) -> None:
    """A word that would be something else in another position."""
    if plain := PLAIN_WORD.match(s.text, start):
        s.offset = plain.end()
        plain_word(s, plain[0], start)
    else:
        composite_word(s, "", start)
