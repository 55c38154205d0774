"""The lexer: splits a program into tokens. Strings have a mode of their own, for `\\(…)`."""

from __future__ import annotations

import re

from keysh.text.chunks import bytes_of_text
from keysh.tools.jq.values.exact import JsonBuilder, add_string

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

KEYWORDS = frozenset((
    "as", "import", "include", "module", "def", "if", "then", "else", "elif", "and", "or", "end",
    "reduce", "foreach", "try", "catch", "label", "break",
))  # fmt: skip

TOKEN = re.compile(
    r"""(?P<blank>(?:[ \t\r\n]|\#[^\n]*)+)
    | (?P<operator>!=|==|\?//=?|//=?|\|=|\+=|-=|\*=|/=|%=|<=|>=|\.\.|[.?=;,:|+\-*/%$<>])
    | (?P<bracket>[\[{(\]})])
    | (?P<FORMAT>@[a-zA-Z0-9_]+)
    | (?P<IDENT>(?:[a-zA-Z_][a-zA-Z_0-9]*::)*[a-zA-Z_][a-zA-Z_0-9]*)
    | (?P<QQSTRING_START>")
    | (?P<INVALID_CHARACTER>.)""",
    re.VERBOSE | re.DOTALL,
).match
# These start with a character that may also be an operator.
FIELD = re.compile(r"\.([a-zA-Z_][a-zA-Z_0-9]*)").match
BINDING = re.compile(r"\$((?:[a-zA-Z_][a-zA-Z_0-9]*::)*[a-zA-Z_][a-zA-Z_0-9]*)").match
LITERAL = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?").match
# The parts of a string: plain text, and a run of escapes.
PLAIN_STRING_TEXT = re.compile(r'[^\\"]+').match
STRING_ESCAPES = re.compile(r"(?:\\[^u(]|\\u[a-zA-Z0-9]{0,4})+", re.DOTALL).match

CLOSING_BRACKETS = {"(": ")", "[": "]", "{": "}", "\\(": ")"}


class JqToken:
    """A token: its kind as in error messages, its value, and where it begins."""

    __slots__ = ("at", "kind", "value")

    def __init__(self, kind: str, value: Any, offset: int) -> None:
        self.kind, self.value, self.at = kind, value, offset


class BadStringEscape(Exception):
    """A string of the program has an invalid escape."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message, self.at = message, offset


def tokenize(text: str) -> list[JqToken]:
    """Return the tokens of a program, ending with "end of file"; raises BadStringEscape."""
    tokens: list[JqToken] = []
    modes: list[str] = []  # the open brackets, and `"` for an open string
    offset = last = 0
    while offset < len(text):
        last = offset
        if modes and modes[-1] == '"':
            offset = read_string_part(text, offset, tokens, modes)
        else:
            offset = read_token(text, offset, tokens, modes)
    # Errors at the end are reported at the last token, or at the blanks after it.
    tokens.append(JqToken("end of file", None, last))
    return tokens


def read_string_part(text: str, offset: int, tokens: list[JqToken], modes: list[str]) -> int:
    """Read a part of a string; returns where it ends."""
    if text[offset] == '"':
        modes.pop()
        tokens.append(JqToken("QQSTRING_END", None, offset))
        return offset + 1
    if text.startswith("\\(", offset):
        modes.append("\\(")
        tokens.append(JqToken("QQSTRING_INTERP_START", None, offset))
        return offset + 2
    plain = PLAIN_STRING_TEXT(text, offset)
    if plain is not None:
        tokens.append(JqToken("QQSTRING_TEXT", plain[0], offset))
        return plain.end()
    escapes = STRING_ESCAPES(text, offset)
    if escapes is None:
        tokens.append(JqToken("INVALID_CHARACTER", None, offset))
        return offset + 1
    machine = JsonBuilder()
    error = add_string(machine, escapes[0])
    if error is not None:
        inside = f'"{escapes[0]}"'
        column = len(bytes_of_text(inside))
        message = f"{error} at line 1, column {column} (while parsing '{inside}')"
        raise BadStringEscape(message, offset)
    tokens.append(JqToken("QQSTRING_TEXT", machine.pending, offset))
    return escapes.end()


def read_token(text: str, offset: int, tokens: list[JqToken], modes: list[str]) -> int:
    """Read a token outside of strings; returns where it ends."""
    for kind, matches in (("LITERAL", LITERAL), ("FIELD", FIELD), ("BINDING", BINDING)):
        special = matches(text, offset)
        if special is not None:
            value = special[0] if kind == "LITERAL" else special[1]
            is_place = kind == "BINDING" and value == "__loc__"
            tokens.append(JqToken("$__loc__" if is_place else kind, value, offset))
            return special.end()
    match = TOKEN(text, offset)
    assert match is not None
    kind, value = str(match.lastgroup), match[0]
    if kind == "bracket":
        kind = bracket_kind(value, modes)
    elif kind == "operator":
        if value == "?//=":  # `?//` and then `=`
            value = "?//"
            match = TOKEN(text[: offset + 3], offset)
            assert match is not None
        kind = f"'{value}'" if len(value) == 1 else value
    elif kind == "IDENT" and value in KEYWORDS:
        kind = value
    elif kind == "FORMAT":
        value = value[1:]
    elif kind == "QQSTRING_START":
        modes.append('"')
    if kind != "blank":
        tokens.append(JqToken(kind, value, offset))
    return match.end()


def bracket_kind(value: str, modes: list[str]) -> str:
    """Open or close a bracket; returns the kind of its token."""
    if value in CLOSING_BRACKETS:
        modes.append(value)
        return f"'{value}'"
    if not modes or CLOSING_BRACKETS[modes[-1]] != value:
        return "INVALID_CHARACTER"
    return "QQSTRING_INTERP_END" if modes.pop() == "\\(" else f"'{value}'"
