"""The exact reader: one JSON value as jq reads it, with jq's words for what is wrong.

It takes `nan` and numbers such as `01` and `.5`, and it looks at a token only when the next one
begins: that is where its errors stand.
"""

from __future__ import annotations

import re

from keysh.tools.jq.values.number import number_of
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_JSON_DEPTH = 10_000

# Blanks, one sign of structure, a whole text, or the letters of a number or a name.
JSON_TOKEN = re.compile(
    r'(?P<blank>[ \t\r\n]+)|(?P<sign>[\[\]{},:])|(?P<text>"(?:[^"\\]|\\.)*")|(?P<letters>[^ \t\r\n'
    r'\[\]{},:"]+)|(?P<open>")',
    re.DOTALL,
)
# A pair for one character beyond U+FFFF, a character, or a single letter.
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
    """What is wrong, and how far the text was read."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message, self.at = message, at
        self.is_at_end = message.endswith(" at EOF")  # else the last character was one too many


class NeedsMoreText(Exception):
    """The text ends inside of a value, and more of it may come."""


class JsonBuilder:
    """The value in the making: open arrays and objects, waiting keys, and the last whole value."""

    __slots__ = ("pending", "stack")

    def __init__(self) -> None:
        self.stack: list[Any] = []  # lists, dicts, and keys that wait for their value
        self.pending: Any = ABSENT

    def add_value(self, value: Any) -> str | None:
        """A value has come; what is wrong with that, if anything."""
        if self.pending is not ABSENT:
            return "Expected separator between values"
        self.pending = value
        return None

    def add_sign(self, sign: str) -> str | None:
        """A sign of structure has come; what is wrong with that, if anything."""
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
        """Put the value where it belongs."""
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


def read_json_value(text: str, at: int, *, is_over: bool) -> tuple[Any, int] | None:
    """The next value and where it ends; None where there is none. ParseError, NeedsMore."""
    machine = JsonBuilder()
    letters, size = "", len(text)
    while at < size:
        found = JSON_TOKEN.match(text, at)
        assert found is not None  # any character begins one
        if found.lastgroup == "letters":
            letters, at = found[0], found.end()
            continue
        if letters:
            raise_if_wrong(add_json_literal(machine, letters), at + 1)
            letters = ""
            if not machine.stack:
                if found[0] in ",:]}":
                    machine.pending = ABSENT
                    raise_if_wrong(machine.add_sign(found[0]), found.end())
                return machine.pending, at
        if found.lastgroup == "open":
            if not is_over:
                raise NeedsMoreText
            raise JsonSyntaxError("Unfinished string at EOF", size)
        at = found.end()
        if found.lastgroup == "sign":
            raise_if_wrong(machine.add_sign(found[0]), at)
        elif found.lastgroup == "text":
            raise_if_wrong(add_string(machine, found[0][1:-1]), at)
        if not machine.stack and machine.pending is not ABSENT:
            return machine.pending, at
    if not is_over:
        raise NeedsMoreText
    raise_if_wrong(add_json_literal(machine, letters) if letters else None, size, " at EOF")
    if machine.stack:
        raise JsonSyntaxError("Unfinished JSON term at EOF", size)
    return None if machine.pending is ABSENT else (machine.pending, size)


def raise_if_wrong(message: str | None, at: int, where: str = "") -> None:
    """Raise what is wrong, if anything is."""
    if message is not None:
        raise JsonSyntaxError(message + where, at)


def add_json_literal(machine: JsonBuilder, letters: str) -> str | None:
    """A number or a name."""
    if letters in JSON_CONSTANTS:
        return machine.add_value(JSON_CONSTANTS[letters])
    if letters[0] in "tf" or letters[:2] == "nu":
        return "Invalid literal"
    number = number_of(letters)
    return "Invalid numeric literal" if number is None else machine.add_value(number)


class InvalidEscape(Exception):
    """An escape that means nothing."""


def add_string(machine: JsonBuilder, inside: str) -> str | None:
    """A text, of which what stands between the quotes is given."""
    if CONTROL_SEARCH(inside) is not None:
        return "Invalid string: control characters from U+0000 through U+001F must be escaped"
    if "\\" in inside:
        try:
            inside = JSON_ESCAPE.sub(escaped_character, inside)
        except InvalidEscape as error:
            return str(error)
    return machine.add_value(inside)


def escaped_character(found: re.Match[str]) -> str:
    """The character that an escape means; BadEscape."""
    high, low, code, single = found.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    if code is None:
        if single not in JSON_ESCAPED_CHARACTERS:
            raise InvalidEscape(escape_error(found))
        return JSON_ESCAPED_CHARACTERS[single]
    number = int(code, 16)
    if 0xD800 <= number < 0xDC00:
        raise InvalidEscape("Invalid \\uXXXX\\uXXXX surrogate pair escape")
    return "\ufffd" if 0xDC00 <= number < 0xE000 else chr(number)


def escape_error(found: re.Match[str]) -> str:
    """What is wrong with an escape that is none."""
    if found[4] != "u":
        return "Invalid escape"
    is_cut = len(found.string) - found.end() < 4
    return "Invalid \\uXXXX escape" if is_cut else "Invalid characters in \\uXXXX escape"
