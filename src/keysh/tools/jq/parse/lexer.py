"""The lexer: a program's text as tokens. Texts are read in a mode of their own, for `\\(…)`."""

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
# These begin as an operator does.
FIELD = re.compile(r"\.([a-zA-Z_][a-zA-Z_0-9]*)").match
BINDING = re.compile(r"\$((?:[a-zA-Z_][a-zA-Z_0-9]*::)*[a-zA-Z_][a-zA-Z_0-9]*)").match
LITERAL = re.compile(r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?").match
# The part of a text that is written as it is, and one with escapes in it.
PLAIN_STRING_TEXT = re.compile(r'[^\\"]+').match
STRING_ESCAPES = re.compile(r"(?:\\[^u(]|\\u[a-zA-Z0-9]{0,4})+", re.DOTALL).match

CLOSING_BRACKETS = {"(": ")", "[": "]", "{": "}", "\\(": ")"}


class JqToken:
    """A token: its kind as messages call it, its value, and where it begins."""

    __slots__ = ("at", "kind", "value")

    def __init__(self, kind: str, value: Any, at: int) -> None:
        self.kind, self.value, self.at = kind, value, at


class BadStringEscape(Exception):
    """An escape in a text of the program means nothing."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message, self.at = message, at


def tokenize(text: str) -> list[JqToken]:
    """The tokens of a program, and one for its end; BadText."""
    found: list[JqToken] = []
    modes: list[str] = []  # of brackets that are open, `"` for a text
    at = last = 0
    while at < len(text):
        last = at
        if modes and modes[-1] == '"':
            at = read_string_part(text, at, found, modes)
        else:
            at = read_token(text, at, found, modes)
    # What is missing at the end is told where the last token stands, or the blanks behind it.
    found.append(JqToken("end of file", None, last))
    return found


def read_string_part(text: str, at: int, found: list[JqToken], modes: list[str]) -> int:
    """Read a part of a text; where it ends."""
    if text[at] == '"':
        modes.pop()
        found.append(JqToken("QQSTRING_END", None, at))
        return at + 1
    if text.startswith("\\(", at):
        modes.append("\\(")
        found.append(JqToken("QQSTRING_INTERP_START", None, at))
        return at + 2
    plain = PLAIN_STRING_TEXT(text, at)
    if plain is not None:
        found.append(JqToken("QQSTRING_TEXT", plain[0], at))
        return plain.end()
    escapes = STRING_ESCAPES(text, at)
    if escapes is None:
        found.append(JqToken("INVALID_CHARACTER", None, at))
        return at + 1
    machine = JsonBuilder()
    wrong = add_string(machine, escapes[0])
    if wrong is not None:
        inside = f'"{escapes[0]}"'
        column = len(bytes_of_text(inside))
        says = f"{wrong} at line 1, column {column} (while parsing '{inside}')"
        raise BadStringEscape(says, at)
    found.append(JqToken("QQSTRING_TEXT", machine.pending, at))
    return escapes.end()


def read_token(text: str, at: int, found: list[JqToken], modes: list[str]) -> int:
    """Read a token that is no part of a text; where it ends."""
    for kind, matches in (("LITERAL", LITERAL), ("FIELD", FIELD), ("BINDING", BINDING)):
        special = matches(text, at)
        if special is not None:
            value = special[0] if kind == "LITERAL" else special[1]
            is_place = kind == "BINDING" and value == "__loc__"
            found.append(JqToken("$__loc__" if is_place else kind, value, at))
            return special.end()
    match = TOKEN(text, at)
    assert match is not None
    kind, value = str(match.lastgroup), match[0]
    if kind == "bracket":
        kind = bracket_kind(value, modes)
    elif kind == "operator":
        if value == "?//=":  # `?//` and then `=`
            value = "?//"
            match = TOKEN(text[: at + 3], at)
            assert match is not None
        kind = f"'{value}'" if len(value) == 1 else value
    elif kind == "IDENT" and value in KEYWORDS:
        kind = value
    elif kind == "FORMAT":
        value = value[1:]
    elif kind == "QQSTRING_START":
        modes.append('"')
    if kind != "blank":
        found.append(JqToken(kind, value, at))
    return match.end()


def bracket_kind(value: str, modes: list[str]) -> str:
    """Open or close a bracket; the token's kind."""
    if value in CLOSING_BRACKETS:
        modes.append(value)
        return f"'{value}'"
    if not modes or CLOSING_BRACKETS[modes[-1]] != value:
        return "INVALID_CHARACTER"
    return "QQSTRING_INTERP_END" if modes.pop() == "\\(" else f"'{value}'"
