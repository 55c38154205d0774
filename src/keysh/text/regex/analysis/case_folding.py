"""Patterns without regard to size, as patterns of small letters for texts in small letters.

That is quicker: `re` looks for one text faster than for one that may be written in many ways.
"""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text
from keysh.text.regex.charset import CharacterSet
from keysh.text.regex.tree import (
    Alternation,
    AtomicGroup,
    BackReference,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Lookaround,
    Repeat,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.tree import Node

LETTER_MASK = (1 << 26) - 1


class NotFoldable(Exception):
    """A set has a letter in one size only."""


class CaseFolding:
    """What became of a pattern: whether anything did, and which letters a text must not have.

    These are the `strays`: letters beyond ASCII that are the same as one within.
    """

    __slots__ = ("has_folded", "excluded_letters")

    def __init__(self) -> None:
        self.has_folded, self.excluded_letters = False, set[str]()

    def fold_tree(self, node: Node) -> Node:
        """A tree that matches a text in small letters where the given one matches the text."""
        if isinstance(node, CharacterNode):
            return CharacterNode(self.fold_set(node.characters))
        if isinstance(node, Concatenation):
            return Concatenation([self.fold_tree(part) for part in node.parts])
        if isinstance(node, Alternation):
            return type(node)([self.fold_tree(one) for one in node.alternatives])
        if isinstance(node, CaptureGroup):
            return CaptureGroup(node.number, self.fold_tree(node.body))
        if isinstance(node, Repeat):
            return Repeat(self.fold_tree(node.body), node.least, node.most, node.is_lazy)
        if isinstance(node, Lookaround):
            return Lookaround(node.opening, self.fold_tree(node.body))
        if isinstance(node, AtomicGroup):
            return AtomicGroup(self.fold_tree(node.body))
        if isinstance(node, BackReference):
            raise NotFoldable
        return node

    def fold_set(self, made: CharacterSet) -> CharacterSet:
        """A set without capitals."""
        small = made.mask >> ord("a") & LETTER_MASK
        if made.mask >> ord("A") & LETTER_MASK != small:
            raise NotFoldable
        if not small or made.ranges or made.classes or made.is_negated:
            return made
        self.has_folded = True
        self.excluded_letters.update(char for char in made.singles if char > "\x7f")
        return CharacterSet(char for char in made.singles if char < "\x80" and char == char.lower())


def lower_ascii(text: str) -> str:
    """A text with small letters for the capitals of ASCII; all else stays, and where it was."""
    if text.isascii():
        return text.lower()
    try:
        return text.encode("latin-1").lower().decode("latin-1")
    except UnicodeEncodeError:
        return bytes_of_text(text).lower().decode("utf-8", "surrogateescape")
