"""Words of commands: plain or composite, reserved or not, by their position."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
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
from keysh.syntax.lexer.quotes import NAME_SYNTAX, refuse_broken
from keysh.syntax.lexer.reserved import HEAD_KEYWORDS, RESERVED_WORDS, function_name, loop_name

PLAIN_WORD = Lexeme(rf"[^{WORD_SPECIALS}]++{WORD_END}")
ENTRY_KEY = Lexeme(r"\[(?>(?:[^][]++|\[[^][]*+\])*)\]\+?=")
TARGET_PATH = Lexeme(rf"({NAME_SYNTAX})(?=\[)")
WORD_IN_BRACKETS = Lexeme(rf"{NAME_SYNTAX}\[[^][\s\"'$`\\]*+\](?!\[|\+?=)")
# To bash `a*() { …; }` and `@() { …; }` are functions: a command's name is no extended glob.
EMPTY_GLOB_NAME = Lexeme(r"[^ \t\n;|&<>()'\"\\$`]*[@?*+](?=\([ \t]*\)[ \t\n]*[{(])")
BROKEN_KEY = Lexeme(rf"{NAME_SYNTAX}(?>(?:\\\n\w*+)+)\+?=")
# A word over two lines.
JOINED_WORD = Lexeme(rf"([^{WORD_SPECIALS}=]++(?>(?:\\\n[^{WORD_SPECIALS}=]*+)+)){WORD_END}")


def plain_word(cursor: Cursor, value: str, start: int) -> None:
    """A word of one plain piece, which may be reserved in this position."""
    position = cursor.word_position
    if position <= AFTER_CLOSER:
        if (reserved := RESERVED_WORDS.get(value)) is not None:
            reserved(cursor, value, start)
            return
        cursor.head = len(cursor.tokens)
    elif position == FOR_NAME:
        loop_name(cursor, value, start)
        return
    elif position in (FOR_IN, CASE_IN, CASE_CLAUSE) and (value, position) in HEAD_KEYWORDS:
        HEAD_KEYWORDS[value, position](cursor, value, start)
        return
    cursor.tokens.append(("WORD", value, start, cursor.offset))
    cursor.word_position = POSITION_AFTER_WORD[position]


def composite_word(cursor: Cursor, value: str, start: int) -> None:
    """A word of several pieces; or, at the start of a command, the path of `u[k]=v`."""
    position = cursor.word_position
    if position == COMMAND_START and negates(cursor, start):
        cursor.offset = start + 1
        plain_word(cursor, "!", start)  # as in sh: no command's name is a pattern
        return
    if (
        cursor.source.dialect is BASH
        and position == COMMAND_START
        and (name := EMPTY_GLOB_NAME.match(cursor.text, start))
    ):
        cursor.offset = name.end()
        function_name(cursor, name[0], start)
        return
    if position in (COMMAND_START, BEFORE_NAME) and (path := TARGET_PATH.match(cursor.text, start)):
        if not WORD_IN_BRACKETS.match(cursor.text, start):
            cursor.offset = path.end()
            cursor.emit("TARGET", path[1], start)
            cursor.mode = cursor.modes["target"]
            return
    elif position == ARRAY_ENTRY and ENTRY_KEY.match(cursor.text, start):
        cursor.offset = start
        cursor.mode = cursor.modes["entry"]
        return
    if (
        cursor.has_joins
        and position in RESERVED_POSITIONS
        and (joined := JOINED_WORD.match(cursor.text, start))
    ):
        cursor.offset = joined.end()
        plain_word(cursor, joined[1].replace("\\\n", ""), start)
        return
    if (
        cursor.has_joins
        and position in (COMMAND_START, BEFORE_NAME, ARGUMENT)
        and BROKEN_KEY.match(cursor.text, start)
    ):
        refuse_broken(cursor, start, "a name")
    cursor.word_position = POSITION_AFTER_WORD[position]
    is_option = position == NAMED_VALUE and cursor.tokens[-1][1].startswith("-")
    is_value = position in (ASSIGNED_VALUE, NAMED_VALUE) or (
        position == ARRAY_ENTRY and cursor.tokens[-1][0] == "ASSIGN_AT"
    )
    mode = "assigned" if is_value and not is_option else "word"
    # The target of `<<<` is a string, in which braces do not count.
    is_line = position in TARGET_POSITIONS and cursor.tokens[-1][1] == "<<<"
    open_word(cursor, start, mode, braces=position in BRACE_POSITIONS and not is_line)


def negates(cursor: Cursor, start: int) -> bool:
    """Whether `!(` is a negation here: it is a pattern after `shopt -s extglob`, as in bash."""
    return cursor.text.startswith("!(", start) and not has_extglob(cursor)


def has_extglob(cursor: Cursor) -> bool:
    """Whether the commands so far turn `extglob` on. Each token is looked at once."""
    tokens, switch = cursor.tokens, ""
    for index in range(cursor.tokens_seen_for_extglob, len(tokens)):
        kind, word, _, _ = tokens[index]
        if kind != "WORD":
            switch = ""
        elif word == "shopt" or (switch and word in ("-s", "-u")):
            switch = word
        elif word == "extglob" and switch in ("-s", "-u"):
            cursor.has_extglob = switch == "-s"
    cursor.tokens_seen_for_extglob = len(tokens)
    return cursor.has_extglob


def open_word(cursor: Cursor, start: int, mode: str, *, braces: bool = False) -> None:
    """Begin a word of several pieces; the position is already that after the word."""
    cursor.tokens.append(("WORD_OPEN", "", start, start))
    cursor.push("", start, mode)
    cursor.offset = start
    if braces:
        cursor.marks = []


def ordinary_word(cursor: Cursor, start: int) -> None:
    """A word that would be something else in another position."""
    if plain := PLAIN_WORD.match(cursor.text, start):
        cursor.offset = plain.end()
        plain_word(cursor, plain[0], start)
    else:
        composite_word(cursor, "", start)
