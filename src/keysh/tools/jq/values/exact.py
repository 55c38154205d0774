"""The exact reader: one JSON value as jq reads it, with jq's words for what is wrong.

It takes `nan` and numbers such as `01` and `.5`, and it looks at a token only when the next one
begins: that is where its errors stand.
"""

from __future__ import annotations

import re

from keysh.tools.jq.values.number import number_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MOST_DEPTH = 10_000

# Blanks, one sign of structure, a whole text, or the letters of a number or a name.
TOKEN = re.compile(
    r'(?P<blank>[ \t\r\n]+)|(?P<sign>[\[\]{},:])|(?P<text>"(?:[^"\\]|\\.)*")|(?P<letters>[^ \t\r\n'
    r'\[\]{},:"]+)|(?P<open>")',
    re.DOTALL,
)
# A pair for one character beyond U+FFFF, a character, or a single letter.
ESCAPE = re.compile(
    r"\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.?))",
    re.DOTALL,
)
SINGLE = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\", "/": "/"}
NAMES = {"true": True, "false": False, "null": None}
ABSENT: Any = object()
CONTROL = re.compile("[\x00-\x1f]").search


class ParseError(Exception):
    """What is wrong, and how far the text was read."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.message, self.at = message, at
        self.is_at_end = message.endswith(" at EOF")  # else the last character was one too many


class NeedsMore(Exception):
    """The text ends inside of a value, and more of it may come."""


class Machine:
    """The value in the making: open arrays and objects, waiting keys, and the last whole value."""

    __slots__ = ("next", "stack")

    def __init__(self) -> None:
        self.stack: list[Any] = []  # lists, dicts, and keys that wait for their value
        self.next: Any = ABSENT

    def value(self, value: Any) -> str | None:
        """A value has come; what is wrong with that, if anything."""
        if self.next is not ABSENT:
            return "Expected separator between values"
        self.next = value
        return None

    def sign(self, sign: str) -> str | None:
        """A sign of structure has come; what is wrong with that, if anything."""
        if sign in "[{":
            return self.opened([] if sign == "[" else {})
        if sign == ":":
            return self.keyed()
        if sign == ",":
            return self.separated()
        return self.closed(sign)

    def opened(self, value: Any) -> str | None:
        if len(self.stack) >= MOST_DEPTH:
            return "Exceeds depth limit for parsing"
        if self.next is not ABSENT:
            return "Expected separator between values"
        self.stack.append(value)
        return None

    def keyed(self) -> str | None:
        if self.next is ABSENT:
            return "Expected string key before ':'"
        if not self.stack or self.stack[-1].__class__ is not dict:
            return "':' not as part of an object"
        if self.next.__class__ is not str:
            return "Object keys must be strings"
        self.stack.append(self.next)
        self.next = ABSENT
        return None

    def separated(self) -> str | None:
        if self.next is ABSENT:
            return "Expected value before ','"
        if not self.stack:
            return "',' not as part of an object or array"
        return self.kept()

    def kept(self) -> str | None:
        """Put the value where it belongs."""
        top = self.stack[-1]
        if top.__class__ is list:
            top.append(self.next)
        elif top.__class__ is str:
            self.stack.pop()
            self.stack[-1][top] = self.next
        else:
            return "Objects must consist of key:value pairs"
        self.next = ABSENT
        return None

    def closed(self, sign: str) -> str | None:
        is_array = sign == "]"
        top = self.stack[-1] if self.stack else None
        if top is None or (is_array and top.__class__ is not list):
            return f"Unmatched '{sign}'"
        if self.next is not ABSENT:
            if not is_array and top.__class__ is not str:
                return "Objects must consist of key:value pairs"
            self.kept()
        elif not is_array and top.__class__ is not dict:
            return "Unmatched '}'"
        elif top:
            return (
                "Expected another array element" if is_array else "Expected another key-value pair"
            )
        self.next = self.stack.pop()
        return None


def read_exactly(text: str, at: int, *, is_over: bool) -> tuple[Any, int] | None:
    """The next value and where it ends; None where there is none. ParseError, NeedsMore."""
    machine = Machine()
    letters, size = "", len(text)
    while at < size:
        found = TOKEN.match(text, at)
        assert found is not None  # any character begins one
        if found.lastgroup == "letters":
            letters, at = found[0], found.end()
            continue
        if letters:
            complain(named(machine, letters), at + 1)
            letters = ""
            if not machine.stack:
                if found[0] in ",:]}":
                    machine.next = ABSENT
                    complain(machine.sign(found[0]), found.end())
                return machine.next, at
        if found.lastgroup == "open":
            if not is_over:
                raise NeedsMore
            raise ParseError("Unfinished string at EOF", size)
        at = found.end()
        if found.lastgroup == "sign":
            complain(machine.sign(found[0]), at)
        elif found.lastgroup == "text":
            complain(unescaped(machine, found[0][1:-1]), at)
        if not machine.stack and machine.next is not ABSENT:
            return machine.next, at
    if not is_over:
        raise NeedsMore
    complain(named(machine, letters) if letters else None, size, " at EOF")
    if machine.stack:
        raise ParseError("Unfinished JSON term at EOF", size)
    return None if machine.next is ABSENT else (machine.next, size)


def complain(message: str | None, at: int, where: str = "") -> None:
    """Raise what is wrong, if anything is."""
    if message is not None:
        raise ParseError(message + where, at)


def named(machine: Machine, letters: str) -> str | None:
    """A number or a name."""
    if letters in NAMES:
        return machine.value(NAMES[letters])
    if letters[0] in "tf" or letters[:2] == "nu":
        return "Invalid literal"
    number = number_of(letters)
    return "Invalid numeric literal" if number is None else machine.value(number)


class BadEscape(Exception):
    """An escape that means nothing."""


def unescaped(machine: Machine, inside: str) -> str | None:
    """A text, of which what stands between the quotes is given."""
    if CONTROL(inside) is not None:
        return "Invalid string: control characters from U+0000 through U+001F must be escaped"
    if "\\" in inside:
        try:
            inside = ESCAPE.sub(character, inside)
        except BadEscape as error:
            return str(error)
    return machine.value(inside)


def character(found: re.Match[str]) -> str:
    """The character that an escape means; BadEscape."""
    high, low, code, single = found.groups()
    if high is not None:
        return chr(0x10000 + ((int(high, 16) & 0x3FF) << 10) + (int(low, 16) & 0x3FF))
    if code is None:
        if single not in SINGLE:
            raise BadEscape(bad_escape(found))
        return SINGLE[single]
    number = int(code, 16)
    if 0xD800 <= number < 0xDC00:
        raise BadEscape("Invalid \\uXXXX\\uXXXX surrogate pair escape")
    return "\ufffd" if 0xDC00 <= number < 0xE000 else chr(number)


def bad_escape(found: re.Match[str]) -> str:
    """What is wrong with an escape that is none."""
    if found[4] != "u":
        return "Invalid escape"
    is_cut = len(found.string) - found.end() < 4
    return "Invalid \\uXXXX escape" if is_cut else "Invalid characters in \\uXXXX escape"
