"""Escapes: the backslashes that `echo -e` and `printf %b` read."""

from __future__ import annotations

SINGLE_ESCAPES = {
    "a": "\a", "b": "\b", "e": "\x1b", "E": "\x1b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
    "v": "\v", "\\": "\\",
}  # fmt: skip
OCTAL_DIGITS, HEXADECIMAL_DIGITS = "01234567", "0123456789abcdefABCDEF"
MAX_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


def expand_escapes(text: str) -> tuple[str, bool]:
    """The text that escapes stand for, and whether `\\c` has ended all output.

    `\\0nnn` and `\\xHH` are bytes, which may make one character together.
    """
    pieces = text.split("\\")
    done = [pieces[0]]
    at, is_over = 1, False
    while at < len(pieces) and not is_over:
        piece = pieces[at]
        at += 1
        if piece:
            made, is_over = expand_escape(piece)
            done.append(made)
        elif at < len(pieces):  # two backslashes stood together
            done.append("\\" + pieces[at])
            at += 1
        else:
            done.append("\\")
    made = "".join(done)
    if not made.isascii():
        made = made.encode("utf-8", "surrogateescape").decode("utf-8", "surrogateescape")
    return made, is_over


def expand_escape(piece: str) -> tuple[str, bool]:
    """What follows a backslash, up to the next one; and whether it says that all is over."""
    char = piece[0]
    if char in SINGLE_ESCAPES:
        return SINGLE_ESCAPES[char] + piece[1:], False
    if char == "c":
        return "", True
    if char == "0":
        digits = leading_digits(piece[1:4], OCTAL_DIGITS)
        return byte_character(int(digits or "0", 8) & 0xFF) + piece[1 + len(digits) :], False
    if char in MAX_ESCAPE_DIGITS:
        digits = leading_digits(piece[1 : 1 + MAX_ESCAPE_DIGITS[char]], HEXADECIMAL_DIGITS)
        if digits:
            number = int(digits, 16)
            made = byte_character(number) if char == "x" else code_point_text(number)
            return made + piece[1 + len(digits) :], False
    return f"\\{piece}", False


def leading_digits(text: str, digits: str) -> str:
    """The digits that a text begins with."""
    return text[: len(text) - len(text.lstrip(digits))]


def byte_character(number: int) -> str:
    """One byte as text holds it."""
    return chr(number) if number < 0x80 else chr(0xDC00 + number)


def code_point_text(number: int) -> str:
    """One character; like bash, a number that is none as the bytes that UTF-8 would have for it."""
    if number < 0xD800 or 0xDFFF < number < 0x110000:
        return chr(number)
    if number > 0x7FFFFFFF:
        return ""
    tails = next(count for count in (2, 3, 4, 5) if number < 1 << (5 * count + 6))
    lead = (0xFF00 >> (tails + 1)) & 0xFF | number >> (6 * tails)
    rest = [0x80 | (number >> (6 * place)) & 0x3F for place in range(tails - 1, -1, -1)]
    return "".join(map(byte_character, [lead, *rest]))
