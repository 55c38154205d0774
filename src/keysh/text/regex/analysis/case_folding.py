"""Patterns without regard to size, as patterns of small letters for texts in small letters.

That is quicker: `re` looks for one text faster than for one that may be written in many ways.
"""

from __future__ import annotations

from keysh.text.chunks import encoded
from keysh.text.regex.charset import Characters
from keysh.text.regex.tree import Choice, Group, Kept, Look, One, Reference, Repeat, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.tree import Node

LETTERS = (1 << 26) - 1


class Unfit(Exception):
    """A set has a letter in one size only."""


class Folding:
    """What became of a pattern: whether anything did, and which letters a text must not have.

    These are the `strays`: letters beyond ASCII that are the same as one within.
    """

    __slots__ = ("has_folded", "strays")

    def __init__(self) -> None:
        self.has_folded, self.strays = False, set[str]()

    def folded(self, node: Node) -> Node:
        """A tree that matches a text in small letters where the given one matches the text."""
        if isinstance(node, One):
            return One(self.small(node.characters))
        if isinstance(node, Sequence):
            return Sequence([self.folded(part) for part in node.parts])
        if isinstance(node, Choice):
            return type(node)([self.folded(one) for one in node.alternatives])
        if isinstance(node, Group):
            return Group(node.number, self.folded(node.body))
        if isinstance(node, Repeat):
            return Repeat(self.folded(node.body), node.least, node.most, node.is_lazy)
        if isinstance(node, Look):
            return Look(node.opening, self.folded(node.body))
        if isinstance(node, Kept):
            return Kept(self.folded(node.body))
        if isinstance(node, Reference):
            raise Unfit
        return node

    def small(self, made: Characters) -> Characters:
        """A set without capitals."""
        small = made.mask >> ord("a") & LETTERS
        if made.mask >> ord("A") & LETTERS != small:
            raise Unfit
        if not small or made.ranges or made.classes or made.is_negated:
            return made
        self.has_folded = True
        self.strays.update(char for char in made.singles if char > "\x7f")
        return Characters(char for char in made.singles if char < "\x80" and char == char.lower())


def in_small_letters(text: str) -> str:
    """A text with small letters for the capitals of ASCII; all else stays, and where it was."""
    if text.isascii():
        return text.lower()
    try:
        return text.encode("latin-1").lower().decode("latin-1")
    except UnicodeEncodeError:
        return encoded(text).lower().decode("utf-8", "surrogateescape")
