"""Backslash escapes: those of C, and how `echo -e` and `printf %b` expand theirs."""

from __future__ import annotations

# C's escapes by their letters, which most dialects share; and those of `echo -e` and `printf`.
C_ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\",
}  # fmt: skip
SINGLE_ESCAPES = {**C_ESCAPES, "e": "\x1b", "E": "\x1b"}
# How od and sed's `l` write the control characters that have an escape.
CONTROL_NAMES = {7: r"\a", 8: r"\b", 9: r"\t", 10: r"\n", 11: r"\v", 12: r"\f", 13: r"\r"}
OCTAL_DIGITS, HEXADECIMAL_DIGITS = "01234567", "0123456789abcdefABCDEF"
MAX_ESCAPE_DIGITS = {"x": 2, "u": 4, "U": 8}


def expand_escapes(text: str) -> tuple[str, bool]:
    r"""Expand escapes; also return whether `\c` ended all output.

    `\0nnn` and `\xHH` are bytes; several can form one character.
    """
    pieces = text.split("\\")
    expanded = [pieces[0]]
    position, is_over = 1, False
    while position < len(pieces) and not is_over:
        piece = pieces[position]
        position += 1
        if piece:
            text_of_piece, is_over = expand_escape(piece)
            expanded.append(text_of_piece)
        elif position < len(pieces):  # a double backslash
            expanded.append("\\" + pieces[position])
            position += 1
        else:
            expanded.append("\\")
    text_of_piece = "".join(expanded)
    if not text_of_piece.isascii():
        text_of_piece = text_of_piece.encode("utf-8", "surrogateescape").decode(
            "utf-8", "surrogateescape"
        )
    return text_of_piece, is_over


def expand_escape(piece: str) -> tuple[str, bool]:
    """Expand the text after a backslash; also return whether output ends."""
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
            char_text = byte_character(number) if char == "x" else code_point_text(number)
            return char_text + piece[1 + len(digits) :], False
    return f"\\{piece}", False


def leading_digits(text: str, digits: str) -> str:
    """Return the digits at the start of a string."""
    return text[: len(text) - len(text.lstrip(digits))]


def byte_character(number: int) -> str:
    """Return the character that stands for a byte in text."""
    return chr(number) if number < 0x80 else chr(0xDC00 + number)


def code_point_text(number: int) -> str:
    """Return a character. Invalid code points become the bytes that UTF-8 would use, as in bash."""
    if number < 0xD800 or 0xDFFF < number < 0x110000:
        return chr(number)
    if number > 0x7FFFFFFF:
        return ""
    tails = next(count for count in (2, 3, 4, 5) if number < 1 << (5 * count + 6))
    lead = (0xFF00 >> (tails + 1)) & 0xFF | number >> (6 * tails)
    rest = [0x80 | (number >> (6 * place)) & 0x3F for place in range(tails - 1, -1, -1)]
    return "".join(map(byte_character, [lead, *rest]))
