"""What is left of a tree where only whether there is a match matters, not where it ends.

What may be nothing at an edge is nothing there, and what repeats there does so as seldom as it may:
`.*foo.*` is `foo`, and `err(or)?` is `err`. A tree with references is left alone.
"""

from __future__ import annotations

from keysh.text.regex.charset import Characters
from keysh.text.regex.tree import Choice, Group, One, Reference, Repeat, Sequence, sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.tree import Node


def essence(node: Node) -> Node:
    """A tree that matches in the same texts, without groups at its edges."""
    return trimmed(node, is_first=True, is_last=True)


def trimmed(node: Node, *, is_first: bool, is_last: bool) -> Node:
    """A part that stands at one edge of the tree, or at both."""
    if isinstance(node, Group):
        return trimmed(node.body, is_first=is_first, is_last=is_last)
    if may_be_nothing(node):
        return Sequence([])
    if isinstance(node, Repeat):
        if node.least > 1:
            return Repeat(node.body, node.least, node.least)
        return trimmed(node.body, is_first=is_first, is_last=is_last)
    if isinstance(node, Choice):
        kept = [trimmed(one, is_first=is_first, is_last=is_last) for one in node.alternatives]
        return type(node)(kept)
    if isinstance(node, Sequence):
        return trimmed_sequence(node.parts, is_first=is_first, is_last=is_last)
    return node


def trimmed_sequence(parts: list[Node], *, is_first: bool, is_last: bool) -> Node:
    """Parts that follow each other, trimmed: of these only the outer ones stand at an edge."""
    first, last = 0, len(parts)
    while is_first and first < last and may_be_nothing(parts[first]):
        first += 1
    while is_last and first < last and may_be_nothing(parts[last - 1]):
        last -= 1
    kept = list(parts[first:last])
    if len(kept) == 1:
        return trimmed(kept[0], is_first=is_first, is_last=is_last)
    if is_first and kept:
        kept[0] = trimmed(kept[0], is_first=True, is_last=False)
    if is_last and kept:
        kept[-1] = trimmed(kept[-1], is_first=False, is_last=True)
    return sequence([inner for part in kept for inner in spliced(part)])


def spliced(node: Node) -> list[Node]:
    """The parts of a sequence that stands in another one."""
    return node.parts if isinstance(node, Sequence) else [node]


def may_be_nothing(node: Node) -> bool:
    """Whether it matches the empty text at every place, whatever stands beside it."""
    if isinstance(node, Repeat):
        return not node.least or may_be_nothing(node.body)
    if isinstance(node, Choice):
        return any(map(may_be_nothing, node.alternatives))
    if isinstance(node, Group):
        return may_be_nothing(node.body)
    return isinstance(node, Sequence) and all(map(may_be_nothing, node.parts))


# A tree without references that matches wherever one with references does, and elsewhere too.

ANY_TEXT = Repeat(One(Characters(is_negated=True)), 0, None)


def superset(node: Node) -> Node:
    """The tree with any text for each text that stands there once more."""
    if isinstance(node, Reference):
        return ANY_TEXT
    if isinstance(node, Sequence):
        return Sequence(list(map(superset, node.parts)))
    if isinstance(node, Choice):
        return type(node)(list(map(superset, node.alternatives)))
    if isinstance(node, Group):
        return Group(node.number, superset(node.body))
    if isinstance(node, Repeat):
        return Repeat(superset(node.body), node.least, node.most, node.is_lazy)
    return node
