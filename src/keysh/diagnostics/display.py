"""Text for a terminal: control characters made visible, and its width in columns."""

from __future__ import annotations


def visible(text: str) -> str:
    r"""Return text that is safe to show: unprintable characters are escaped, such as `\u202e`."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char if char.isprintable() else escaped_character(char) for char in text)


def escaped_character(char: str) -> str:
    """Return the escape for a character that must not reach a terminal."""
    names = {"\t": " ", "\n": "\\n", "\r": "\\r"}
    number = ord(char)
    if 0xDC80 <= number <= 0xDCFF:
        return f"\\x{number - 0xDC00:02x}"
    if char in names:
        return names[char]
    if number < 256:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def display_width(text: str) -> int:
    """Return the number of columns of a text without tabs."""
    if text.isascii() and text.isprintable():
        return len(text)
    from keysh.diagnostics.width import CharacterWidths  # noqa: PLC0415 - loads unicodedata

    widths = CharacterWidths()
    return sum(widths[ord(char)] for char in text)


def shorten(text: str, most: int = 40) -> str:
    """Return text cut to a length, for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"
