"""A tree without references that matches wherever one with references does, and elsewhere too.

The automaton can follow it, and so tells in one pass where a match may begin at all.
"""

from __future__ import annotations

from keysh.text.regular.characters import Characters
from keysh.text.regular.node import Choice, Group, One, Reference, Repeat, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regular.node import Node

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
