"""printf's arguments, consumed one by one as strings or numbers."""

from __future__ import annotations

import re

from keysh.text.chunks import bytes_of_text, rejoin_characters
from keysh.text.long_double import LongDouble, parse_long_double

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

# What C's strtol accepts with base 0.
C_INTEGER = re.compile(r"[ \t\n\v\f\r]*([-+]?)(?:0[xX]([0-9a-fA-F]+)|(0[0-7]*)|([0-9]+))")
MIN_SIGNED, MAX_SIGNED, MAX_UNSIGNED = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1
OUT_OF_RANGE = "Numerical result out of range"


class PrintfArguments:
    """The arguments; missing ones are empty or 0. `pieces` is the output that is not printed yet.

    `prints` is false for `-v`, which prints nothing.
    """

    __slots__ = ("_at", "_printed_bytes", "_prints", "_texts", "pieces", "sh")

    def __init__(self, sh: Call, texts: list[str], *, prints: bool = True) -> None:
        self.sh, self._texts, self._at, self._prints = sh, texts, 0, prints
        self.pieces: list[str] = []
        self._printed_bytes = 0

    @property
    def output_bytes(self) -> int:
        """Return the size of the output so far."""
        return self._printed_bytes + len(bytes_of_text("".join(self.pieces)))

    def print_lines(self) -> None:
        """Print the complete lines of the output, which come before a message."""
        text = "".join(self.pieces)
        end = text.rfind("\n") + 1
        if end and self._prints:
            self._printed_bytes += len(bytes_of_text(text[:end]))
            self.sh.out.write(text[:end] if text.isascii() else rejoin_characters(text[:end]))
            self.pieces[:] = [text[end:]]

    @property
    def remaining(self) -> int:
        """Return the number of unused arguments."""
        return len(self._texts) - self._at

    def next_argument(self) -> str | None:
        """Return the next argument, or None after the last."""
        if self._at >= len(self._texts):
            return None
        self._at += 1
        return self._texts[self._at - 1]

    def text(self) -> str:
        """Return the next argument as a string."""
        return self.next_argument() or ""

    def integer(self, *, is_signed: bool = True) -> int:
        """Return the next argument as a 64-bit integer."""
        text = self.next_argument()
        if not text:
            return 0
        if text[0] in "'\"":
            return character_code(text[1:])
        if text.isdecimal() and text.isascii() and text[0] != "0" and len(text) < 19:
            return int(text)
        match = C_INTEGER.match(text)
        if match is None or match.end() != len(text):
            self.warn_invalid(text)
        if match is None:
            return 0
        sign, hexadecimal, octal, decimal = match.groups()
        digits = hexadecimal or octal or decimal
        base = 16 if hexadecimal else 8 if octal else 10
        number = int(digits, base) if len(digits) < 4000 else MAX_UNSIGNED + 1
        number = -number if sign == "-" else number
        if is_signed:
            return self.clamp(text, number, MIN_SIGNED, MAX_SIGNED)
        return self.clamp(text, number, -MAX_UNSIGNED, MAX_UNSIGNED) & MAX_UNSIGNED

    def clamp(self, text: str, number: int, lowest: int, highest: int) -> int:
        """Return the number, or with a warning the nearest one in range."""
        if lowest <= number <= highest:
            return number
        self.warn(f"{text}: {OUT_OF_RANGE}")
        return highest if number > highest or lowest < MIN_SIGNED else lowest

    def fraction(self) -> LongDouble:
        """Return the next argument as a floating-point number."""
        text = self.next_argument()
        if not text:
            return LongDouble(False, 0, 0)
        if text[0] in "'\"":
            return LongDouble(False, character_code(text[1:]), 0)
        number, length, fits = parse_long_double(text)
        if length != len(text):
            self.fail(f"{text}: invalid number")
        elif not fits:
            self.warn(f"{text}: {OUT_OF_RANGE}")
        return number

    def warn_invalid(self, text: str) -> None:
        """Report an invalid integer in bash's words for its apparent base."""
        kind = "invalid number"
        digits = text.lstrip(" \t\n\v\f\r").lstrip("+-")
        if digits[:2] in ("0x", "0X"):
            kind = "invalid hex number"
        elif digits[:1] == "0" and digits[1:2].isdigit():
            kind = "invalid octal number"
        self.fail(f"{text}: {kind}")

    def fail(self, message: str) -> None:
        """Print a message and set the status to 1."""
        self.print_lines()
        self.sh.warn(message)

    def warn(self, message: str) -> None:
        """Print a warning without changing the status."""
        self.note(f"warning: {message}")

    def note(self, message: str) -> None:
        """Print a message without changing the status."""
        self.print_lines()
        self.sh.note(message)


def character_code(text: str) -> int:
    """Return the code of the first character, or the byte if it is invalid UTF-8."""
    if not text:
        return 0
    code = ord(text[0])
    return bytes_of_text(text[0])[0] if 0xDC80 <= code <= 0xDCFF else code
