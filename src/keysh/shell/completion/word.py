"""TypedWord: a word as it is being typed, and how a name continues it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Characters that a bare word needs to escape.
BARE_SPECIALS = frozenset(" \t\n\\'\"`$&|;<>()*?[]{}#~!=")
DOUBLE_QUOTE_SPECIALS = frozenset('"\\`$')


class TypedWord:
    """A word as typed so far.

    source      the word as written; it begins at `start` in the text
    text        its meaning, without quotes
    quote       the quote that is open at its end
    name_start  the offset after its last slash, where a file's name is replaced
    """

    __slots__ = ("name_start", "quote", "source", "start", "text")

    def __init__(self, source: str, start: int) -> None:
        self.source, self.start = source, start
        self.name_start = start
        self.quote = ""
        characters: list[str] = []
        index = 0
        while index < len(source):
            char = source[index]
            index += 1
            if char == "\\" and self.quote != "'" and index < len(source):
                char = source[index]
                index += 1
            elif char == self.quote:
                self.quote = ""
                continue
            elif not self.quote and char in "'\"":
                self.quote = char
                if index == 1 or source[index - 2] == "/":
                    self.name_start = start + index
                continue
            if char == "/":
                self.name_start = start + index
            characters.append(char)
        self.text = "".join(characters)

    def quoted_name(self, name: str) -> str:
        """Return a name as it must be written in this word."""
        if self.quote == "'":
            return name.replace("'", "'\\''")
        special = DOUBLE_QUOTE_SPECIALS if self.quote else BARE_SPECIALS
        if not special.isdisjoint(name) or not name.isprintable():
            if any(not char.isprintable() for char in name):
                return "$'" + "".join(map(ansi_character, name)) + "'" if not self.quote else name
            return "".join(f"\\{char}" if char in special else char for char in name)
        return name


def ansi_character(char: str) -> str:
    """Return a character as written in `$'…'`."""
    if char in "'\\":
        return f"\\{char}"
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))


def expanded_path(text: str, variables: Mapping[str, object], home: str) -> str:
    """Return the beginning of a path with `~` and `$names` expanded."""
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
    """Return the name at the beginning of a text, and the rest."""
    end = 0
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[:end], "", text[end:]
