"""Word: a word that is being written: what it says so far, and how a text joins it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# What a bare word holds behind a backslash only.
BARE_SPECIALS = frozenset(" \t\n\\'\"`$&|;<>()*?[]{}#~!=")
DOUBLE_QUOTE_SPECIALS = frozenset('"\\`$')


class TypedWord:
    """`source` is the word as written, `start` its place in the text.

    `text` is what it says, without quotes; `quote` the one that is open at its end. `piece` is the
    place in the text behind the last slash, from where on a file's name is replaced.
    """

    __slots__ = ("name_start", "quote", "source", "start", "text")

    def __init__(self, source: str, start: int) -> None:
        self.source, self.start = source, start
        self.name_start = start
        self.quote = ""
        said: list[str] = []
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
            said.append(char)
        self.text = "".join(said)

    def quoted_name(self, name: str) -> str:
        """A name as it is written here."""
        if self.quote == "'":
            return name.replace("'", "'\\''")
        special = DOUBLE_QUOTE_SPECIALS if self.quote else BARE_SPECIALS
        if not special.isdisjoint(name) or not name.isprintable():
            if any(not char.isprintable() for char in name):
                return "$'" + "".join(map(ansi_character, name)) + "'" if not self.quote else name
            return "".join(f"\\{char}" if char in special else char for char in name)
        return name


def ansi_character(char: str) -> str:
    """A character inside `$'…'`."""
    if char in "'\\":
        return f"\\{char}"
    if char.isprintable():
        return char
    return "".join(f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))


def expanded_path(text: str, variables: Mapping[str, object], home: str) -> str:
    """The start of a path with its `~` and its `$names` replaced, so that it can be looked up."""
    if text == "~" or text.startswith("~/"):
        text = home + text[1:]
    pieces = text.split("$")
    made = [pieces[0]]
    for piece in pieces[1:]:
        is_braced = piece.startswith("{")
        name, _, rest = piece[1:].partition("}") if is_braced else name_and_rest(piece)
        value = variables.get(name)
        made.append(f"{value}{rest}" if isinstance(value, str) else f"${piece}")
    return "".join(made)


def name_and_rest(text: str) -> tuple[str, str, str]:
    """The name that a text begins with, and what follows."""
    end = 0
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return text[:end], "", text[end:]
