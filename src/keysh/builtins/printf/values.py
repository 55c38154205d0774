"""Values: printf's arguments, taken one by one as texts or numbers."""

from __future__ import annotations

import re

from keysh.text.chunks import bytes_of_text
from keysh.text.long_double import LongDouble, parse_long_double

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

# What C's strtol reads with base 0.
C_INTEGER = re.compile(r"[ \t\n\v\f\r]*([-+]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([0-9]+))")
MIN_SIGNED, MAX_SIGNED, MAX_UNSIGNED = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1
OUT_OF_RANGE = "Numerical result out of range"


class PrintfArguments:
    """The arguments; behind the last one each is empty, or 0. `pieces` is what is printed."""

    __slots__ = ("_at", "_texts", "pieces", "sh")

    def __init__(self, sh: Call, texts: list[str]) -> None:
        self.sh, self._texts, self._at = sh, texts, 0
        self.pieces: list[str] = []

    @property
    def remaining(self) -> int:
        """How many arguments are not taken yet."""
        return len(self._texts) - self._at

    def next_argument(self) -> str | None:
        """The next argument; None behind the last."""
        if self._at >= len(self._texts):
            return None
        self._at += 1
        return self._texts[self._at - 1]

    def text(self) -> str:
        """The next argument as it is."""
        return self.next_argument() or ""

    def integer(self, *, is_signed: bool = True) -> int:
        """The next argument as a whole number of 64 bits."""
        text = self.next_argument()
        if not text:
            return 0
        if text[0] in "'\"":
            return character_code(text[1:])
        if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) < 19:
            return int(text)
        found = C_INTEGER.match(text)
        if found is None or found.end() != len(text):
            self.warn_invalid(text)
        if found is None:
            return 0
        sign, hexadecimal, octal, decimal = found.groups()
        digits = hexadecimal or octal or decimal
        base = 16 if hexadecimal else 8 if octal else 10
        number = int(digits, base) if len(digits) < 4000 else MAX_UNSIGNED + 1
        number = -number if sign == "-" else number
        if is_signed:
            return self.clamp(text, number, MIN_SIGNED, MAX_SIGNED)
        return self.clamp(text, number, -MAX_UNSIGNED, MAX_UNSIGNED) & MAX_UNSIGNED

    def clamp(self, text: str, number: int, least: int, most: int) -> int:
        """A number, or the nearest that fits, which is warned of."""
        if least <= number <= most:
            return number
        self.warn(f"{text}: {OUT_OF_RANGE}")
        return most if number > most or least < MIN_SIGNED else least

    def fraction(self) -> LongDouble:
        """The next argument as a number with a fraction."""
        text = self.next_argument()
        if not text:
            return LongDouble(False, 0, 0)
        if text[0] in "'\"":
            return LongDouble(False, character_code(text[1:]), 0)
        number, length, fits = parse_long_double(text)
        if length != len(text):
            self.sh.warn(f"{text}: invalid number")
        elif not fits:
            self.warn(f"{text}: {OUT_OF_RANGE}")
        return number

    def warn_invalid(self, text: str) -> None:
        """Tell that an argument is no whole number, in the words for what it began as."""
        kind = "invalid number"
        digits = text.lstrip(" \t\n\v\f\r").lstrip("+-")
        if digits[:2] in ("0x", "0X"):
            kind = "invalid hex number"
        elif digits[:1] == "0" and digits[1:2].isdigit():
            kind = "invalid octal number"
        self.sh.warn(f"{text}: {kind}")

    def warn(self, message: str) -> None:
        """Tell of something that is no failure."""
        self.sh.note(f"warning: {message}")


def character_code(text: str) -> int:
    """The number of the first character; of a byte that is none, the byte."""
    if not text:
        return 0
    code = ord(text[0])
    return bytes_of_text(text[0])[0] if 0xDC80 <= code <= 0xDCFF else code
