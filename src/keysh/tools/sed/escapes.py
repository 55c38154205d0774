"""The escapes that sed reads before all else: `\\t`, `\\x41`, `\\o101`, `\\d065`, `\\cA`."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text, text_of_bytes

SIMPLE_ESCAPES = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
NUMERIC_ESCAPES = {"d": ("0123456789", 10, 3), "o": ("01234567", 8, 3),
           "x": ("0123456789abcdefABCDEF", 16, 2)}  # fmt: skip
# What no backslash makes special in POSIX's expressions, and in its basic ones.
NEVER_SPECIAL, BASIC_NEVER_SPECIAL = "wWsSbB<>`'", "+?|"


def resolve_escapes(text: str, special: str = "", *, is_regex: bool = False) -> str:
    """A text with these escapes resolved; all others stay as they are.

    A character of `special` that comes from a number keeps a backslash, so that it is only itself.
    In an expression it is read as if it stood there.
    """
    if "\\" not in text:
        return text
    pieces: list[str] = []
    at, count = 0, len(text)
    while at < count:
        slash = text.find("\\", at)
        if slash < 0 or slash + 1 == count:
            pieces.append(text[at:])
            break
        pieces.append(text[at:slash])
        char, at = text[slash + 1], slash + 2
        if char in SIMPLE_ESCAPES and not (char == "n" and is_regex):
            pieces.append(SIMPLE_ESCAPES[char])
        elif char == "c":
            made, at = control_character(text, at)
            pieces.append(made)
        elif char in NUMERIC_ESCAPES:
            made, at = numbered_character(text, at, char, special)
            pieces.append(made)
        else:
            pieces.append(f"\\{char}")
    made = "".join(pieces)
    return made if made.isascii() else join_bytes(made)


def control_character(text: str, at: int) -> tuple[str, int]:
    """The control character that is named here, and the place behind it; at the end, a backslash.
    A backslash is named by two.
    """
    char = text[at : at + 1]
    if not char:
        return "\\", at
    end = at + 2 if text.startswith("\\\\", at) else at + 1
    return (chr(ord(char.upper()) ^ 64) if char.isascii() else char), end


def numbered_character(text: str, at: int, char: str, special: str) -> tuple[str, int]:
    """The character of a number, and the place behind it; without digits, what was written."""
    allowed, base, most = NUMERIC_ESCAPES[char]
    end = at
    while end < len(text) and end - at < most and text[end] in allowed:
        end += 1
    if end == at:
        return f"\\{char}", at
    code = int(text[at:end], base) & 0xFF
    made = chr(code) if code < 128 else chr(0xDC00 + code)
    return (f"\\{made}" if made in special else made), end


def join_bytes(text: str) -> str:
    """Bytes that stand side by side as the character they make."""
    return text_of_bytes(bytes_of_text(text))


def remove_backslashes(text: str) -> str:
    """A text without the backslashes that keep the next character."""
    if "\\" not in text:
        return text
    pieces, at = [], 0
    while (slash := text.find("\\", at)) >= 0 and slash + 1 < len(text):
        char = text[slash + 1]
        pieces += [text[at:slash], char]
        at = slash + 2
    return "".join([*pieces, text[at:]])


def posix_regex_text(text: str, *, is_extended: bool) -> str:
    """An expression as POSIX reads it: a backslash makes no more special than it says."""
    if "\\" not in text:
        return text
    plain = NEVER_SPECIAL if is_extended else NEVER_SPECIAL + BASIC_NEVER_SPECIAL
    pieces = text.split("\\")
    made, at = [pieces[0]], 1
    while at < len(pieces):
        piece = pieces[at]
        at += 1
        if not piece and at < len(pieces):  # a backslash before a backslash
            made.append(f"\\\\{pieces[at]}")
            at += 1
        else:
            made.append(piece if piece[:1] and piece[0] in plain else f"\\{piece}")
    return "".join(made)
