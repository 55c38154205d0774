"""Assignments, named arguments, the paths and entries that values are given to."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shortened
from keysh.syntax.lexer.command_words import composite, ordinary
from keysh.syntax.lexer.cursor import Cursor
from keysh.syntax.lexer.positions import AFTER, ARGUMENT, ASSIGNED, ENTRY, NAMED, PREFIX, WORDS
from keysh.syntax.lexer.values import is_record, open_list, open_record

EMPTY_BEFORE = frozenset(
    ("", *" \t\n;|&<>)")
)  # nothing is assigned where one of these follows the `=`
VALUE_BEGINS = EMPTY_BEFORE | frozenset("([{#")


def key(s: Cursor, value: str, start: int) -> None:
    """`name=`: an assignment before the command's name, a named argument behind it."""
    at = s.at
    if at == ARGUMENT:
        s.emit("KEY", value, start)
        s.at = NAMED
    elif at <= PREFIX and value[0] != "-":
        s.emit("ASSIGN", value, start)
        s.at = ASSIGNED
    else:
        ordinary(s, start)
        return
    begin_value(s)


def begin_value(s: Cursor) -> None:
    """What touches the `=`: nothing, a list, a record, an array or (the rules go on) a word."""
    text, pos = s.text, s.pos
    while s.has_joins and text.startswith("\\\n", pos):
        s.pos = pos = pos + 2
    char = text[pos : pos + 1]
    if char not in VALUE_BEGINS:
        return
    if char in EMPTY_BEFORE:
        if char in ("<", ">") and text.startswith("(", pos + 1):
            return
        kind, value, start, end = s.tokens[-1]
        s.tokens[-1] = ("EMPTY_" + kind, value, start, end)
        s.at = AFTER[s.at]
    elif char == "(":
        s.pos += 1
        s.emit("ARRAY_OPEN", char, pos)
        s.at = AFTER[s.at]
        s.push("=(", pos, "command")
        s.at = ENTRY
    elif char == "[":
        is_argument, s.at = s.at == NAMED, AFTER[s.at]
        s.pos += 1
        open_list(s, char, pos, is_argument=is_argument)
    elif char == "{" and is_record(s, is_argument=s.at == NAMED):
        s.at = AFTER[s.at]
        s.pos += 1
        open_record(s, char, pos)
    elif char == "#":
        composite(s, "", pos)


def assign_at(s: Cursor, value: str, start: int) -> None:
    """The `=` behind `u[k]`."""
    s.emit("ASSIGN_AT", value, start)
    s.mode = s.modes["command"]
    s.at = ASSIGNED
    begin_value(s)


def assign_entry(s: Cursor, value: str, start: int) -> None:
    """The `=` behind `[k]` in `( … )`."""
    s.emit("ASSIGN_AT", value, start)
    s.mode = s.modes["command"]
    while s.text.startswith("\\\n", s.pos):
        s.pos += 2
    char = s.text[s.pos : s.pos + 1]
    if char in ("<", ">") and s.text.startswith("(", s.pos + 1):
        return
    if char in EMPTY_BEFORE:
        s.tokens[-1] = ("EMPTY_ASSIGN_AT", value, start, s.pos)
    elif char == "#":
        composite(s, "", s.pos)


def no_assignment(s: Cursor) -> None:
    """A path that nothing is assigned to."""
    begins = (token[2] for token in reversed(s.tokens) if token[0] in ("TARGET", "ARRAY_OPEN"))
    start = next(begins)
    s.mode = s.modes["command"]
    path = shortened(s.text[start : s.pos])
    fix = f"write `{path}=value`, or `echo ${{{path}}}` to read it"
    s.report("E119", start, s.pos, "`=` and a value must follow", f"`{path}`", fix)
    s.tokens.append(("EMPTY_ASSIGN_AT", "=", s.pos, s.pos))
    s.at = ARGUMENT


def spread(s: Cursor, value: str, start: int) -> None:
    """`...$xs`: the elements of a list, where words are collected."""
    if s.at in (ARGUMENT, WORDS, ENTRY):
        s.emit("SPREAD", value, start)
    else:
        composite(s, value, start)
