"""Formats of printf that hold only text, `%%` and plain `%s`, as formats of Python's `%`."""

from __future__ import annotations

from keysh.text.chunks import rejoin_characters
from keysh.text.escapes import OCTAL_DIGITS, SINGLE_ESCAPES, byte_character, leading_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

QUOTE_ESCAPES = {'"': '"', "'": "'", "?": "?"}
PRINTF_ESCAPES = SINGLE_ESCAPES | QUOTE_ESCAPES


class PrintfTemplate:
    """A format of Python's `%`, and the number of strings that it takes."""

    __slots__ = ("count", "text")

    def __init__(self, text: str, count: int) -> None:
        self.text, self.count = text, count

    def fill(self, texts: Sequence[str]) -> str:
        """Return the output; the template is repeated until it has taken all texts."""
        rounds = max(-(-len(texts) // self.count), 1) if self.count else 1
        missing = rounds * self.count - len(texts)
        strings = (*texts, *[""] * missing) if self.count else ()
        text = self.text * rounds % strings
        return text if text.isascii() else rejoin_characters(text)


def printf_template(format_text: str) -> PrintfTemplate | None:
    """Return the template for a format, or None for one with other directives or rare escapes."""
    text, count, position = "", 0, 0
    while True:
        percent = format_text.find("%", position)
        literal = expanded_literal(format_text[position : percent if percent >= 0 else None])
        if literal is None:
            return None
        text += literal.replace("%", "%%")
        if percent < 0:
            return PrintfTemplate(text, count)
        directive = format_text[percent : percent + 2]
        if directive not in ("%s", "%%"):
            return None
        text += directive
        count += directive == "%s"
        position = percent + 2


def expanded_literal(text: str) -> str | None:
    r"""Expand escapes; None for \x, \u, \U and what is no escape, which may need a warning."""
    if "\\" not in text:
        return text
    expanded, *pieces = text.split("\\")
    waiting = iter(pieces)
    for piece in waiting:
        if not piece:  # a double backslash
            following = next(waiting, None)
            if following is None:
                return None
            expanded += f"\\{following}"
        elif piece[0] in PRINTF_ESCAPES:
            expanded += PRINTF_ESCAPES[piece[0]] + piece[1:]
        elif digits := leading_digits(piece[:3], OCTAL_DIGITS):
            expanded += byte_character(int(digits, 8) & 0xFF) + piece[len(digits) :]
        else:
            return None
    return expanded
