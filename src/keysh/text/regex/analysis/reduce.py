"""Reduce a tree for questions that need less than the bounds of a match.

To test whether there is a match, optional parts at an edge are dropped and repetitions there
reduced to their minimum: `.*foo.*` becomes `foo`, `err(or)?` becomes `err`. Trees with back
references are not reduced.
"""

from __future__ import annotations

from keysh.text.regex.charset import CharacterSet
from keysh.text.regex.regex_tree import (
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
    from keysh.text.regex.regex_tree import Node


def reduce_for_test(node: Node) -> Node:
    """Return a tree that matches in the same texts, without groups at its edges."""
    return trim_edge(node, is_first=True, is_last=True)


def trim_edge(node: Node, *, is_first: bool, is_last: bool) -> Node:
    """Reduce a part at one or both edges of the tree."""
    if isinstance(node, CaptureGroup):
        return trim_edge(node.body, is_first=is_first, is_last=is_last)
    if is_always_nullable(node):
        return Concatenation([])
    if isinstance(node, Repeat):
        if node.least > 1:
            return Repeat(node.body, node.least, node.least)
        return trim_edge(node.body, is_first=is_first, is_last=is_last)
    if isinstance(node, Alternation):
        trimmed = [trim_edge(one, is_first=is_first, is_last=is_last) for one in node.alternatives]
        return type(node)(trimmed)
    if isinstance(node, Concatenation):
        return trim_sequence(node.parts, is_first=is_first, is_last=is_last)
    return node


def trim_sequence(parts: list[Node], *, is_first: bool, is_last: bool) -> Node:
    """Reduce a sequence, of which only the outer parts are at an edge."""
    first, last = 0, len(parts)
    while is_first and first < last and is_always_nullable(parts[first]):
        first += 1
    while is_last and first < last and is_always_nullable(parts[last - 1]):
        last -= 1
    trimmed = list(parts[first:last])
    if len(trimmed) == 1:
        return trim_edge(trimmed[0], is_first=is_first, is_last=is_last)
    if is_first and trimmed:
        trimmed[0] = trim_edge(trimmed[0], is_first=True, is_last=False)
    if is_last and trimmed:
        trimmed[-1] = trim_edge(trimmed[-1], is_first=False, is_last=True)
    return concatenate([inner for part in trimmed for inner in inline_parts(part)])


def inline_parts(node: Node) -> list[Node]:
    """Return the parts to insert for a nested sequence."""
    return node.parts if isinstance(node, Concatenation) else [node]


def is_always_nullable(node: Node) -> bool:
    """Whether it matches the empty string at every position, whatever its neighbours."""
    if isinstance(node, Repeat):
        return not node.least or is_always_nullable(node.body)
    if isinstance(node, Alternation):
        return any(map(is_always_nullable, node.alternatives))
    if isinstance(node, CaptureGroup):
        return is_always_nullable(node.body)
    return isinstance(node, Concatenation) and all(map(is_always_nullable, node.parts))


# A tree without back references that matches wherever the original does, and elsewhere too.

ANY_TEXT_NODE = Repeat(CharacterNode(CharacterSet(is_negated=True)), 0, None)


def without_references(node: Node) -> Node:
    """Replace each back reference by any text."""
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
