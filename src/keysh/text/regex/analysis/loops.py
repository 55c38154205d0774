"""Repetitions that `re` may go through in vain from each of their places: `x[^y]*y` in many an x.

A pattern for which one way leads on from each place costs one pass from each place it starts at.
Where it may start again inside of what a repetition has just taken, and what follows fails, these
passes add up to the length of the text times that of the longest run the repetition can take.
"""

from __future__ import annotations

from keysh.text.regex.analysis.cost import (
    cannot_fail,
    flattened,
    is_anchored,
    is_endless,
    is_single,
)
from keysh.text.regex.charset import ASCII, OTHERS
from keysh.text.regex.tree import (
    Assertion,
    Choice,
    Group,
    Kept,
    Look,
    One,
    Reference,
    Repeat,
    Sequence,
    is_nullable,
    nodes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.charset import Characters
    from keysh.text.regex.tree import Node

ALL = ASCII | OTHERS
HEAVY = 16  # so many times as long `re` takes for a character where more than a set is repeated


class Loop:
    """Such a repetition: the characters it takes, and how heavy each of them is."""

    __slots__ = ("taken", "weight")

    def __init__(self, taken: list[Characters], weight: int) -> None:
        self.taken, self.weight = taken, weight


def scanning_loops(node: Node) -> list[Loop]:
    """All such repetitions of a pattern."""
    if is_anchored(node):
        return []
    parts = flattened(node)
    while parts and cannot_fail(parts[-1]):
        parts.pop()
    if parts and isinstance(parts[-1], Repeat) and is_single(parts[-1].body):
        parts.pop()  # behind it nothing fails
    first = first_mask(Sequence(parts))
    found: list[Loop] = []
    for part in parts:
        looks = any(isinstance(one, Look) for one in nodes(part))
        for one in nodes(part):
            if isinstance(one, Repeat) and is_endless(one):
                taken = [inner.characters for inner in nodes(one.body) if isinstance(inner, One)]
                if looks or any(first & characters.mask for characters in taken):
                    found.append(Loop(taken, 1 if isinstance(one.body, One) else HEAVY))
    return found


def first_mask(node: Node) -> int:
    """The characters that a match may begin with."""
    if isinstance(node, One):
        return node.characters.mask
    if isinstance(node, Reference):
        return ALL
    if isinstance(node, Assertion | Look):
        return 0
    if isinstance(node, Group | Repeat | Kept):
        return first_mask(node.body)
    made = 0
    if isinstance(node, Choice):
        for one in node.alternatives:
            made |= first_mask(one)
        return made
    for part in node.parts:
        made |= first_mask(part)
        if not is_nullable(part):
            break
    return made
