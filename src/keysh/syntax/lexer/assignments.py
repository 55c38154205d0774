"""Assignments, named arguments, and entries of arrays."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shorten
from keysh.syntax.lexer.command_words import composite_word, ordinary_word
from keysh.syntax.lexer.cursor import Cursor
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


def assignment_key(s: Cursor, value: str, start: int) -> None:
    """`name=`: an assignment before the command's name, a named argument after it."""
    at = s.word_position
    if at == ARGUMENT:
        s.emit("KEY", value, start)
        s.word_position = NAMED_VALUE
    elif at <= BEFORE_NAME and value[0] != "-":
        s.emit("ASSIGN", value, start)
        s.word_position = ASSIGNED_VALUE
    else:
        ordinary_word(s, start)
        return
    begin_value(s)


def begin_value(s: Cursor) -> None:
    """Begin the value after `=`: nothing, a list, a record or an array; else a word follows."""
    text, pos = s.text, s.offset
    while s.has_joins and text.startswith("\\\n", pos):
        s.offset = pos = pos + 2
    char = text[pos : pos + 1]
    if char not in VALUE_STARTERS:
        return
    if char in EMPTY_VALUE_FOLLOWERS:
        if char in ("<", ">") and text.startswith("(", pos + 1):
            return
        kind, value, start, end = s.tokens[-1]
        s.tokens[-1] = ("EMPTY_" + kind, value, start, end)
        s.word_position = POSITION_AFTER_WORD[s.word_position]
    elif char == "(":
        s.offset += 1
        s.emit("ARRAY_OPEN", char, pos)
        s.word_position = POSITION_AFTER_WORD[s.word_position]
        s.push("=(", pos, "command")
        s.word_position = ARRAY_ENTRY
    elif char == "[":
        is_argument, s.word_position = (
            s.word_position == NAMED_VALUE,
            POSITION_AFTER_WORD[s.word_position],
        )
        s.offset += 1
        open_list(s, char, pos, is_argument=is_argument)
    elif char == "{" and is_record(s, is_argument=s.word_position == NAMED_VALUE):
        s.word_position = POSITION_AFTER_WORD[s.word_position]
        s.offset += 1
        open_record(s, char, pos)
    elif char == "#":
        composite_word(s, "", pos)


def assign_at(s: Cursor, value: str, start: int) -> None:
    """The `=` after `u[k]`."""
    s.emit("ASSIGN_AT", value, start)
    s.mode = s.modes["command"]
    s.word_position = ASSIGNED_VALUE
    begin_value(s)


def assign_entry(s: Cursor, value: str, start: int) -> None:
    """The `=` after `[k]` in `( … )`."""
    s.emit("ASSIGN_AT", value, start)
    s.mode = s.modes["command"]
    while s.text.startswith("\\\n", s.offset):
        s.offset += 2
    char = s.text[s.offset : s.offset + 1]
    if char in ("<", ">") and s.text.startswith("(", s.offset + 1):
        return
    if char in EMPTY_VALUE_FOLLOWERS:
        s.tokens[-1] = ("EMPTY_ASSIGN_AT", value, start, s.offset)
    elif char == "#":
        composite_word(s, "", s.offset)


def refuse_bare_path(s: Cursor) -> None:
    """Report a path without an assignment."""
    begins = (token[2] for token in reversed(s.tokens) if token[0] in ("TARGET", "ARRAY_OPEN"))
    start = next(begins)
    s.mode = s.modes["command"]
    path = shorten(s.text[start : s.offset])
    fix = f"write `{path}=value`, or `echo ${{{path}}}` to read it"
    s.report("E119", start, s.offset, "`=` and a value must follow", f"`{path}`", fix)
    s.tokens.append(("EMPTY_ASSIGN_AT", "=", s.offset, s.offset))
    s.word_position = ARGUMENT


def spread(s: Cursor, value: str, start: int) -> None:
    """`...$xs`: the elements of a list, among arguments and entries."""
    if s.word_position in (ARGUMENT, FOR_WORDS, ARRAY_ENTRY):
        s.emit("SPREAD", value, start)
    else:
        composite_word(s, value, start)
