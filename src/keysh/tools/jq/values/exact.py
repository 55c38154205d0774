"""The exact reader: parses one JSON value as jq does, with jq's error messages.

It accepts `nan` and numbers such as `01` and `.5`. Like jq, it checks a number or a name only when
the next token begins, and reports its errors there.
"""

from __future__ import annotations

import re

from keysh.tools.jq.values.number import number_of
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_JSON_DEPTH = 10_000

# Blanks, a structural sign, a complete string, the letters of a number or a name, an open quote.
# A string is matched without going back, which would take memory for each of its characters.
JSON_TOKEN = re.compile(
    r'(?P<blank>[ \t\r\n]+)|(?P<sign>[\[\]{},:])|(?P<text>"(?:[^"\\]++|\\.)*+")'
    r'|(?P<letters>[^ \t\r\n\[\]{},:"]+)|(?P<open>")',
    re.DOTALL,
)
# A surrogate pair, one code unit, or a single character.
JSON_ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.?))",
    re.DOTALL,
)
JSON_ESCAPED_CHARACTERS = {
    "b": "\b",
    "f": "\f",
    "n": "\n",
    "r": "\r",
    "t": "\t",
    '"': '"',
    "\\": "\\",
    "/": "/",
}
JSON_CONSTANTS = {"true": True, "false": False, "null": None}
CONTROL_SEARCH = re.compile("[\x00-\x1f]").search


class JsonSyntaxError(Exception):
    """A syntax error, and how far the text was read."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.message, self.at = message, offset
        self.is_at_end = message.endswith(" at EOF")  # otherwise the last character read is wrong


class NeedsMoreText(Exception):
    """The text ends inside a value, and more of it may follow."""


class JsonBuilder:
    """Builds one value. The methods return an error message, or None."""

    __slots__ = ("pending", "stack")

    def __init__(self) -> None:
        self.stack: list[Any] = []  # open lists and dicts, and keys without a value
        self.pending: Any = ABSENT

    def add_value(self, value: Any) -> str | None:
        """Add a complete value."""
        if self.pending is not ABSENT:
            return "Expected separator between values"
        self.pending = value
        return None

    def add_sign(self, sign: str) -> str | None:
        """Add one of `[]{}:,`."""
        if sign in "[{":
            return self.open_container([] if sign == "[" else {})
        if sign == ":":
            return self.take_key()
        if sign == ",":
            return self.end_item()
        return self.close_container(sign)

    def open_container(self, value: Any) -> str | None:
        if len(self.stack) >= MAX_JSON_DEPTH:
            return "Exceeds depth limit for parsing"
        if self.pending is not ABSENT:
            return "Expected separator between values"
        self.stack.append(value)
        return None

    def take_key(self) -> str | None:
        if self.pending is ABSENT:
            return "Expected string key before ':'"
        if not self.stack or self.stack[-1].__class__ is not dict:
            return "':' not as part of an object"
        if self.pending.__class__ is not str:
            return "Object keys must be strings"
        self.stack.append(self.pending)
        self.pending = ABSENT
        return None

    def end_item(self) -> str | None:
        if self.pending is ABSENT:
            return "Expected value before ','"
        if not self.stack:
            return "',' not as part of an object or array"
        return self.store_value()

    def store_value(self) -> str | None:
        """Store the pending value in the innermost array or object."""
        top = self.stack[-1]
        if top.__class__ is list:
            top.append(self.pending)
        elif top.__class__ is str:
            self.stack.pop()
            self.stack[-1][top] = self.pending
        else:
            return "Objects must consist of key:value pairs"
        self.pending = ABSENT
        return None

    def close_container(self, sign: str) -> str | None:
        is_array = sign == "]"
        top = self.stack[-1] if self.stack else None
        if top is None or (is_array and top.__class__ is not list):
            return f"Unmatched '{sign}'"
        if self.pending is not ABSENT:
            if not is_array and top.__class__ is not str:
                return "Objects must consist of key:value pairs"
            self.store_value()
        elif not is_array and top.__class__ is not dict:
            return "Unmatched '}'"
        elif top:
            return (
                "Expected another array element" if is_array else "Expected another key-value pair"
            )
        self.pending = self.stack.pop()
        return None


def read_json_value(text: str, offset: int, *, is_over: bool) -> tuple[Any, int] | None:
    """Return the next value and its end, or None; raises JsonSyntaxError or NeedsMoreText."""
    machine = JsonBuilder()
    letters, size = "", len(text)
    while offset < size:
        match = JSON_TOKEN.match(text, offset)
        assert match is not None  # any character begins a token
        if match.lastgroup == "letters":
            letters, offset = match[0], match.end()
            continue
        if letters:
            raise_if_wrong(add_json_literal(machine, letters), offset + 1)
            letters = ""
            if not machine.stack:
                if match[0] in ",:]}":
                    machine.pending = ABSENT
                    raise_if_wrong(machine.add_sign(match[0]), match.end())
                return machine.pending, offset
        if match.lastgroup == "open":
            if not is_over:
                raise NeedsMoreText
            raise JsonSyntaxError("Unfinished string at EOF", size)
        offset = match.end()
        if match.lastgroup == "sign":
            raise_if_wrong(machine.add_sign(match[0]), offset)
        elif match.lastgroup == "text":
            raise_if_wrong(add_string(machine, match[0][1:-1]), offset)
        if not machine.stack and machine.pending is not ABSENT:
            return machine.pending, offset
    if not is_over:
        raise NeedsMoreText
    raise_if_wrong(add_json_literal(machine, letters) if letters else None, size, " at EOF")
    if machine.stack:
        raise JsonSyntaxError("Unfinished JSON term at EOF", size)
    return None if machine.pending is ABSENT else (machine.pending, size)


def raise_if_wrong(message: str | None, offset: int, suffix: str = "") -> None:
    """Raise JsonSyntaxError if there is a message."""
    if message is not None:
        raise JsonSyntaxError(message + suffix, offset)


def add_json_literal(machine: JsonBuilder, letters: str) -> str | None:
    """Add a number, or `true`, `false`, `null`."""
    if letters in JSON_CONSTANTS:
        return machine.add_value(JSON_CONSTANTS[letters])
    if letters[0] in "tf" or letters[:2] == "nu":
        return "Invalid literal"
    number = number_of(letters)
    return "Invalid numeric literal" if number is None else machine.add_value(number)


class InvalidEscape(Exception):
    """An unknown or malformed escape."""


def add_string(machine: JsonBuilder, inside: str) -> str | None:
    """Add a string, given without its quotes."""
    if CONTROL_SEARCH(inside) is not None:
        return "Invalid string: control characters from U+0000 through U+001F must be escaped"
    if "\\" in inside:
        try:
            inside = JSON_ESCAPE.sub(escaped_character, inside)
        except InvalidEscape as error:
            return str(error)
    return machine.add_value(inside)


def escaped_character(match: re.Match[str]) -> str:
    """Return the character of an escape; raises InvalidEscape."""
    high, low, code, single = match.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    if code is None:
        if single not in JSON_ESCAPED_CHARACTERS:
            raise InvalidEscape(escape_error(match))
        return JSON_ESCAPED_CHARACTERS[single]
    number = int(code, 16)
    if 0xD800 <= number < 0xDC00:
        raise InvalidEscape("Invalid \\uXXXX\\uXXXX surrogate pair escape")
    return "\ufffd" if 0xDC00 <= number < 0xE000 else chr(number)


def escape_error(match: re.Match[str]) -> str:
    """Return the error message for a malformed escape."""
    if match[4] != "u":
        return "Invalid escape"
    is_cut = len(match.string) - match.end() < 4
    return "Invalid \\uXXXX escape" if is_cut else "Invalid characters in \\uXXXX escape"
