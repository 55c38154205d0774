"""A word that is being typed: its text without quotes, and how to quote what completes it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Characters that an unquoted word needs a backslash for.
BARE_SPECIALS = frozenset(" \t\n\\'\"`$&|;<>()*?[]{}#~!=")
DOUBLE_QUOTE_SPECIALS = frozenset('"\\`$')


class TypedWord:
    """`source` is the word as written, `start` its offset in the text.

    `text` is the word without quotes, and `quote` the quote that is open at its end. `name_start`
    is the offset after the last slash, from which a file's name is replaced.
    """

    __slots__ = ("name_start", "quote", "source", "start", "text")

    def __init__(self, source: str, start: int) -> None:
        self.source, self.start = source, start
        self.name_start = start
        self.quote = ""
        chars: list[str] = []
        at = 0
        while at < len(source):
            char = source[at]
            at += 1
            if char == "\\" and self.quote != "'" and at < len(source):
                char = source[at]
                at += 1
            elif char == self.quote:
                self.quote = ""
                continue
            elif not self.quote and char in "'\"":
                self.quote = char
                if at == 1 or source[at - 2] == "/":
                    self.name_start = start + at
                continue
            if char == "/":
                self.name_start = start + at
            chars.append(char)
        self.text = "".join(chars)

    def quoted_name(self, name: str) -> str:
        """Return a name quoted for this place."""
        if self.quote == "'":
            return name.replace("'", "'\\''")
        special = DOUBLE_QUOTE_SPECIALS if self.quote else BARE_SPECIALS
        if not special.isdisjoint(name) or not name.isprintable():
            if any(not char.isprintable() for char in name):
                return "$'" + "".join(map(ansi_character, name)) + "'" if not self.quote else name
            return "".join(f"\\{char}" if char in special else char for char in name)
        return name


def ansi_character(char: str) -> str:
    """Return a character as written inside `$'…'`."""
    if char in "'\\":
        return f"\\{char}"
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))


def expanded_path(text: str, variables: Mapping[str, object], home: str) -> str:
    """Expand `~` and `$NAME` in the start of a path, so that it can be looked up."""
    if text == "~" or text.startswith("~/"):
        text = home + text[1:]
    pieces = text.split("$")
    expanded = [pieces[0]]
    for piece in pieces[1:]:
        is_braced = piece.startswith("{")
        name, _, rest = piece[1:].partition("}") if is_braced else name_and_rest(piece)
        value = variables.get(name)
        expanded.append(f"{value}{rest}" if isinstance(value, str) else f"${piece}")
    return "".join(expanded)


def name_and_rest(text: str) -> tuple[str, str, str]:
    """Return the name at the start of a text, an empty string, and the rest."""
    end = 0
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[:end], "", text[end:]
