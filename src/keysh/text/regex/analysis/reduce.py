"""What is left of a tree where only whether there is a match matters, not where it ends.

What may be nothing at an edge is nothing there, and what repeats there does so as seldom as it may:
`.*foo.*` is `foo`, and `err(or)?` is `err`. A tree with references is left alone.
"""

from __future__ import annotations

from keysh.text.regex.charset import CharacterSet
from keysh.text.regex.tree import (
    Alternation,
    BackReference,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Repeat,
    concatenate,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.tree import Node


def reduce_for_test(node: Node) -> Node:
    """A tree that matches in the same texts, without groups at its edges."""
    return trim_edge(node, is_first=True, is_last=True)


def trim_edge(node: Node, *, is_first: bool, is_last: bool) -> Node:
    """A part that stands at one edge of the tree, or at both."""
    if isinstance(node, CaptureGroup):
        return trim_edge(node.body, is_first=is_first, is_last=is_last)
    if is_always_nullable(node):
        return Concatenation([])
    if isinstance(node, Repeat):
        if node.least > 1:
            return Repeat(node.body, node.least, node.least)
        return trim_edge(node.body, is_first=is_first, is_last=is_last)
    if isinstance(node, Alternation):
        kept = [trim_edge(one, is_first=is_first, is_last=is_last) for one in node.alternatives]
        return type(node)(kept)
    if isinstance(node, Concatenation):
        return trim_sequence(node.parts, is_first=is_first, is_last=is_last)
    return node


def trim_sequence(parts: list[Node], *, is_first: bool, is_last: bool) -> Node:
    """Parts that follow each other, trimmed: of these only the outer ones stand at an edge."""
    first, last = 0, len(parts)
    while is_first and first < last and is_always_nullable(parts[first]):
        first += 1
    while is_last and first < last and is_always_nullable(parts[last - 1]):
        last -= 1
    kept = list(parts[first:last])
    if len(kept) == 1:
        return trim_edge(kept[0], is_first=is_first, is_last=is_last)
    if is_first and kept:
        kept[0] = trim_edge(kept[0], is_first=True, is_last=False)
    if is_last and kept:
        kept[-1] = trim_edge(kept[-1], is_first=False, is_last=True)
    return concatenate([inner for part in kept for inner in inline_parts(part)])


def inline_parts(node: Node) -> list[Node]:
    """The parts of a sequence that stands in another one."""
    return node.parts if isinstance(node, Concatenation) else [node]


def is_always_nullable(node: Node) -> bool:
    """Whether it matches the empty text at every place, whatever stands beside it."""
    if isinstance(node, Repeat):
        return not node.least or is_always_nullable(node.body)
    if isinstance(node, Alternation):
        return any(map(is_always_nullable, node.alternatives))
    if isinstance(node, CaptureGroup):
        return is_always_nullable(node.body)
    return isinstance(node, Concatenation) and all(map(is_always_nullable, node.parts))


# A tree without references that matches wherever one with references does, and elsewhere too.

ANY_TEXT_NODE = Repeat(CharacterNode(CharacterSet(is_negated=True)), 0, None)


def without_references(node: Node) -> Node:
    """The tree with any text for each text that stands there once more."""
    if isinstance(node, BackReference):
        return ANY_TEXT_NODE
    if isinstance(node, Concatenation):
        return Concatenation(list(map(without_references, node.parts)))
    if isinstance(node, Alternation):
        return type(node)(list(map(without_references, node.alternatives)))
    if isinstance(node, CaptureGroup):
        return CaptureGroup(node.number, without_references(node.body))
    if isinstance(node, Repeat):
        return Repeat(without_references(node.body), node.least, node.most, node.is_lazy)
    return node
