"""Formats of stat: directives with flags, width and precision."""

from __future__ import annotations

import re

from keysh.interp.state.call import CommandFailure
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.escapes import C_ESCAPES
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

    # The value of a directive: text, a number with its base, or a time in nanoseconds.
    Field: TypeAlias = "Callable[[Call, str, Stat], str | tuple[int, int]]"

DIRECTIVE = re.compile(r"([-+ #0']*)([0-9]*)(?:(\.)([0-9]*))?([HL]?)(.?)", re.DOTALL)
ESCAPES = {**C_ESCAPES, "e": "\x1b", '"': '"'}
OCTAL_ESCAPE = re.compile(r"[0-7]{1,3}")
HEX_ESCAPE = re.compile(r"x([0-9a-fA-F]{1,2})")
BASE_PREFIXES = {8: "0", 10: "", 16: "0x"}
BASE_LETTERS = {8: "o", 10: "d", 16: "x"}
SECOND_NANOSECONDS, MAX_FIELD_WIDTH = 10**9, 4096
SIZE_LETTER = "s"  # %s, the only number that flags can give a sign
TIME_BASE = 0  # the base that marks a time


class StatFormat:
    """A format and the fields that it can use."""

    __slots__ = ("_fields", "_reads_escapes", "_sh", "_text")

    def __init__(
        self, sh: Call, text: str, fields: Mapping[str, Field], *, reads_escapes: bool
    ) -> None:
        self._sh, self._text, self._fields = sh, text, fields
        self._reads_escapes = reads_escapes

    def text_for(self, name: str, stat: Stat) -> str:
        """Return the format filled with the fields of a file."""
        text, pieces, position = self._text, [], 0
        while position < len(text):
            char = text[position]
            position += 1
            if char == "%":
                directive = DIRECTIVE.match(text, position)
                assert directive is not None
                pieces.append(self._value(directive, name, stat))
                position = directive.end()
            elif char == "\\" and self._reads_escapes:
                piece, position = self._escape(position)
                pieces.append(piece)
            else:
                pieces.append(char)
        return "".join(pieces)

    def _value(self, directive: re.Match[str], name: str, stat: Stat) -> str:
        flags, width, dot, digits, half, letter = directive.groups("")
        if letter in ("", "%") or (letter == "\n" and directive.end() == len(self._text)):
            if directive.end() - directive.start() > len(letter):
                raise CommandFailure(
                    f"{quoted_name('%' + directive[0].rstrip(chr(10)))}: invalid directive"
                )
            return letter if letter == "%" else f"%{letter}"
        field = self._fields.get(half + letter)
        value = field(self._sh, name, stat) if field else "?"
        precision = int(digits[:4] or 0) if dot else -1
        size = min(int(width[:6] or 0), MAX_FIELD_WIDTH)
        if isinstance(value, str):
            data = bytes_of_text(value)[: precision if dot else None]
            data = data.ljust(size) if "-" in flags else data.rjust(size)
            return text_of_bytes(data)
        number, base = value
        if base == TIME_BASE:
            return seconds_text(number, flags, size, precision if not dot or digits else 9)
        body = format(abs(number), BASE_LETTERS[base])
        if dot:
            body = body.rjust(precision, "0") if number or precision else ""
        if "#" in flags and number:
            body = BASE_PREFIXES[base] + body
        sign = "-" if number < 0 else sign_for_flags(flags) if letter == SIZE_LETTER else ""
        return padded_number(sign, body, flags, size, zeros=not dot)

    def _escape(self, position: int) -> tuple[str, int]:
        """Return the text of an escape and the position after it."""
        text = self._text
        octal, hexadecimal = OCTAL_ESCAPE.match(text, position), HEX_ESCAPE.match(text, position)
        if octal or hexadecimal:
            number = int(octal[0], 8) & 0xFF if octal else int((hexadecimal or [""])[1], 16)
            char = chr(number) if number < 0x80 else chr(0xDC00 + number)
            return char, (octal or hexadecimal or DIRECTIVE.match("")).end()  # type: ignore[union-attr]
        char = text[position : position + 1]
        if not char:
            self._sh.note("warning: backslash at end of format")
            return "\\", position
        if char not in ESCAPES:
            self._sh.note(f"warning: unrecognized escape '\\{char}'")
        return ESCAPES.get(char, char), position + 1


def seconds_text(nanoseconds: int, flags: str, size: int, precision: int) -> str:
    """Return seconds since 1970 with decimals, rounded like GNU stat."""
    seconds, rest = divmod(nanoseconds, SECOND_NANOSECONDS)
    sign = "-" if seconds < 0 else sign_for_flags(flags)
    digits = min(precision, 9)
    fraction, remainder = divmod(rest, 10 ** (9 - digits)) if digits > 0 else (0, 0)
    # The fraction of a negative time counts up from the next lower second.
    if seconds < 0 and (fraction or remainder):
        fraction = 10**digits - fraction - (remainder > 0)
        seconds += fraction > 0
    body = str(abs(seconds))
    if precision > 0:
        body += f".{fraction:0{digits}}".ljust(precision + 1, "0")
    return padded_number(sign, body, flags, size, zeros=True)


def sign_for_flags(flags: str) -> str:
    """Return the sign of a number that is not negative."""
    return "+" if "+" in flags else " " if " " in flags else ""


def padded_number(sign: str, body: str, flags: str, size: int, *, zeros: bool) -> str:
    """Pad a number to a width."""
    if "-" in flags:
        return (sign + body).ljust(size)
    if "0" in flags and zeros:
        return sign + body.rjust(size - len(sign), "0")
    return (sign + body).rjust(size)
