"""Fixed strings, lists of words, and matches of whole words or lines, as in grep -F, -w and -x."""

from __future__ import annotations

from keysh.text.regex.case_folding import case_insensitive_set
from keysh.text.regex.charset import CharacterSet
from keysh.text.regex.regex_tree import Assertion, CharacterNode, Concatenation

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex_tree import Node


def fixed_text(pattern: str, ignore_case: bool) -> Node:
    """Return the tree for a literal text."""
    sets = [CharacterSet(char) for char in pattern]
    if ignore_case:
        sets = [case_insensitive_set(single) for single in sets]
    return Concatenation([CharacterNode(members) for members in sets])


def whole_match(node: Node, whole: str, *, is_ascii: bool) -> Node:
    """Return a tree that must match a whole "word" or "line", or anything for ""."""
    if not whole:
        return node
    parts = node.parts if isinstance(node, Concatenation) else [node]
    if whole == "line":
        return Concatenation([Assertion("text start"), *parts, Assertion("text end")])
    before = Assertion("no word before", is_ascii=is_ascii)
    return Concatenation([before, *parts, Assertion("no word behind", is_ascii=is_ascii)])


def are_words(alternatives: list[Node]) -> bool:
    """Whether all alternatives are texts of characters whose sets are equal or disjoint."""
    sets: dict[frozenset[str], None] = {}
    for word in alternatives:
        for part in word.parts if isinstance(word, Concatenation) else [word]:
            if not isinstance(part, CharacterNode):
                return False
            members = part.characters
            if members.ranges or members.classes or members.is_negated:
                return False
            sets[members.singles] = None
    return sum(map(len, sets)) == len(frozenset().union(*sets))
