"""Assignments, named arguments, and entries of arrays."""

from __future__ import annotations

from keysh.diagnostics.display import shorten
from keysh.syntax.lexer.command_words import composite_word, ordinary_word
from keysh.syntax.lexer.cursor import Cursor, LexicalMode
from keysh.syntax.lexer.expansions import ALL_SUBSCRIPT, PLAIN_SUBSCRIPT, open_subscript
from keysh.syntax.lexer.positions import (
    ARGUMENT,
    ARRAY_ENTRY,
    ASSIGNED_VALUE,
    BEFORE_NAME,
    FOR_WORDS,
    NAMED_VALUE,
    POSITION_AFTER_WORD,
)
from keysh.syntax.lexer.values import is_record, open_list, open_record

# The value is empty if one of these follows the `=`.
EMPTY_VALUE_FOLLOWERS = frozenset(("", *" \t\n;|&<>)"))
VALUE_STARTERS = EMPTY_VALUE_FOLLOWERS | frozenset("([{#")


def assignment_key(cursor: Cursor, value: str, start: int) -> None:
    """`name=`: an assignment before the command's name, a named argument after it."""
    position = cursor.word_position
    if position == ARGUMENT:
        cursor.emit("KEY", value, start)
        cursor.word_position = NAMED_VALUE
    elif position <= BEFORE_NAME and value[0] != "-":
        cursor.emit("ASSIGN", value, start)
        cursor.word_position = ASSIGNED_VALUE
    else:
        ordinary_word(cursor, start)
        return
    begin_value(cursor)


def begin_value(cursor: Cursor) -> None:
    """Begin the value after `=`: nothing, a list, a record or an array; else a word follows."""
    text, pos = cursor.text, cursor.offset
    while cursor.has_joins and text.startswith("\\\n", pos):
        cursor.offset = pos = pos + 2
    char = text[pos : pos + 1]
    if char not in VALUE_STARTERS:
        return
    if char in EMPTY_VALUE_FOLLOWERS:
        if char in ("<", ">") and text.startswith("(", pos + 1):
            return
        kind, value, start, end = cursor.tokens[-1]
        cursor.tokens[-1] = ("EMPTY_" + kind, value, start, end)
        cursor.word_position = POSITION_AFTER_WORD[cursor.word_position]
    elif char == "(":
        cursor.offset += 1
        cursor.emit("ARRAY_OPEN", char, pos)
        cursor.word_position = POSITION_AFTER_WORD[cursor.word_position]
        cursor.push("=(", pos, "command")
        cursor.word_position = ARRAY_ENTRY
    elif char in ("[", "{") and not cursor.source.dialect.has_literals:
        return
    elif char == "[":
        is_argument, cursor.word_position = (
            cursor.word_position == NAMED_VALUE,
            POSITION_AFTER_WORD[cursor.word_position],
        )
        cursor.offset += 1
        open_list(cursor, char, pos, is_argument=is_argument)
    elif char == "{" and is_record(cursor, is_argument=cursor.word_position == NAMED_VALUE):
        cursor.word_position = POSITION_AFTER_WORD[cursor.word_position]
        cursor.offset += 1
        open_record(cursor, char, pos)
    elif char == "#":
        composite_word(cursor, "", pos)


def assign_at(cursor: Cursor, value: str, start: int) -> None:
    """The `=` after `u[k]`."""
    cursor.emit("ASSIGN_AT", value, start)
    cursor.mode = cursor.modes["command"]
    cursor.word_position = ASSIGNED_VALUE
    begin_value(cursor)


def assign_entry(cursor: Cursor, value: str, start: int) -> None:
    """The `=` after `[k]` in `( … )`."""
    cursor.emit("ASSIGN_AT", value, start)
    cursor.mode = cursor.modes["command"]
    while cursor.text.startswith("\\\n", cursor.offset):
        cursor.offset += 2
    char = cursor.text[cursor.offset : cursor.offset + 1]
    if char in ("<", ">") and cursor.text.startswith("(", cursor.offset + 1):
        return
    if char in EMPTY_VALUE_FOLLOWERS:
        cursor.tokens[-1] = ("EMPTY_ASSIGN_AT", value, start, cursor.offset)
    elif char == "#":
        composite_word(cursor, "", cursor.offset)


def refuse_bare_path(cursor: Cursor) -> None:
    """Report a path without an assignment."""
    begins = (token[2] for token in reversed(cursor.tokens) if token[0] in ("TARGET", "ARRAY_OPEN"))
    start = next(begins)
    cursor.mode = cursor.modes["command"]
    path = shorten(cursor.text[start : cursor.offset])
    fix = f"write `{path}=value`, or `echo ${{{path}}}` to read it"
    cursor.report("E119", start, cursor.offset, "`=` and a value must follow", f"`{path}`", fix)
    cursor.tokens.append(("EMPTY_ASSIGN_AT", "=", cursor.offset, cursor.offset))
    cursor.word_position = ARGUMENT


def spread(cursor: Cursor, value: str, start: int) -> None:
    """`...$xs`: the elements of a list, among arguments and entries."""
    takes_several = cursor.word_position in (ARGUMENT, FOR_WORDS, ARRAY_ENTRY)
    if takes_several and cursor.source.dialect.has_literals:
        cursor.emit("SPREAD", value, start)
    else:
        composite_word(cursor, value, start)


MODES = [
    LexicalMode(
        "target",
        [ALL_SUBSCRIPT, PLAIN_SUBSCRIPT, (r"(\[)", open_subscript), (r"(\+?=)", assign_at)],
        refuse_bare_path,
    ),
    LexicalMode(
        "entry",
        [ALL_SUBSCRIPT, PLAIN_SUBSCRIPT, (r"(\[)", open_subscript), (r"(\+?=)", assign_entry)],
        refuse_bare_path,
    ),
]
