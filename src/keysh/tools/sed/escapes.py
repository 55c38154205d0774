"""The escapes that sed resolves first: `\\t`, `\\x41`, `\\o101`, `\\d065`, `\\cA`."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text, text_of_bytes

SIMPLE_ESCAPES = {"a": "\a", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}
NUMERIC_ESCAPES = {"d": ("0123456789", 10, 3), "o": ("01234567", 8, 3),
           "x": ("0123456789abcdefABCDEF", 16, 2)}  # fmt: skip
# Characters that a backslash does not make special in POSIX, and in POSIX basic regexes.
NEVER_SPECIAL, BASIC_NEVER_SPECIAL = "wWsSbB<>`'", "+?|"


def resolve_escapes(text: str, special: str = "", *, is_regex: bool = False) -> str:
    """Resolve these escapes; all others stay as they are.

    A character of `special` that comes from a number gets a backslash, so that it is literal.
    In a regex it is as special as if it were written there.
    """
    if "\\" not in text:
        return text
    pieces: list[str] = []
    offset, count = 0, len(text)
    while offset < count:
        slash = text.find("\\", offset)
        if slash < 0 or slash + 1 == count:
            pieces.append(text[offset:])
            break
        pieces.append(text[offset:slash])
        char, offset = text[slash + 1], slash + 2
        if char in SIMPLE_ESCAPES and not (char == "n" and is_regex):
            pieces.append(SIMPLE_ESCAPES[char])
        elif char == "c":
            result, offset = control_character(text, offset)
            pieces.append(result)
        elif char in NUMERIC_ESCAPES:
            result, offset = numbered_character(text, offset, char, special)
            pieces.append(result)
        else:
            pieces.append(f"\\{char}")
    result = "".join(pieces)
    return result if result.isascii() else join_bytes(result)


def control_character(text: str, offset: int) -> tuple[str, int]:
    """Return the control character of `\\c` and the offset after it; at the end, a backslash.

    A backslash is written as two.
    """
    char = text[offset : offset + 1]
    if not char:
        return "\\", offset
    end = offset + 2 if text.startswith("\\\\", offset) else offset + 1
    return (chr(ord(char.upper()) ^ 64) if char.isascii() else char), end


def numbered_character(text: str, offset: int, char: str, special: str) -> tuple[str, int]:
    """Return the character of a number and the offset after it; without digits, the escape."""
    allowed, base, max_digits = NUMERIC_ESCAPES[char]
    end = offset
    while end < len(text) and end - offset < max_digits and text[end] in allowed:
        end += 1
    if end == offset:
        return f"\\{char}", offset
    code = int(text[offset:end], base) & 0xFF
    character = chr(code) if code < 128 else chr(0xDC00 + code)
    return (f"\\{character}" if character in special else character), end


def join_bytes(text: str) -> str:
    """Join adjacent bytes that form a UTF-8 character."""
    return text_of_bytes(bytes_of_text(text))


def remove_backslashes(text: str) -> str:
    """Remove each backslash, and keep the character after it."""
    if "\\" not in text:
        return text
    pieces, offset = [], 0
    while (slash := text.find("\\", offset)) >= 0 and slash + 1 < len(text):
        char = text[slash + 1]
        pieces += [text[offset:slash], char]
        offset = slash + 2
    return "".join([*pieces, text[offset:]])


def posix_regex_text(text: str, *, is_extended: bool) -> str:
    """Return a regex with the escapes removed that are special in GNU's regexes only."""
    if "\\" not in text:
        return text
    plain = NEVER_SPECIAL if is_extended else NEVER_SPECIAL + BASIC_NEVER_SPECIAL
    pieces = text.split("\\")
    result, index = [pieces[0]], 1
    while index < len(pieces):
        piece = pieces[index]
        index += 1
        if not piece and index < len(pieces):  # an escaped backslash
            result.append(f"\\\\{pieces[index]}")
            index += 1
        else:
            result.append(piece if piece[:1] and piece[0] in plain else f"\\{piece}")
    return "".join(result)
