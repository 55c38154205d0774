"""Repetitions that `re` may go through in vain from each of their places: `x[^y]*y` in many an x.

A pattern for which one way leads on from each place costs one pass from each place it starts at.
Where it may start again inside of what a repetition has just taken, and what follows fails, these
passes add up to the length of the text times that of the longest run the repetition can take.
"""

from __future__ import annotations

from keysh.text.regex.analysis.cost import (
    cannot_fail,
    flat_parts,
    is_anchored,
    is_single,
    is_unbounded,
)
from keysh.text.regex.charset import ASCII_MASK, NON_ASCII_BIT
from keysh.text.regex.tree import (
    Alternation,
    Assertion,
    AtomicGroup,
    BackReference,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Lookaround,
    Repeat,
    is_nullable,
    nodes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.charset import CharacterSet
    from keysh.text.regex.tree import Node

ALL_CHARACTERS = ASCII_MASK | NON_ASCII_BIT
HEAVY_WEIGHT = (
    16  # so many times as long `re` takes for a character where more than a set is repeated
)


class ScanLoop:
    """Such a repetition: the characters it takes, and how heavy each of them is."""

    __slots__ = ("sets", "weight")

    def __init__(self, taken: list[CharacterSet], weight: int) -> None:
        self.sets, self.weight = taken, weight


def scanning_loops(node: Node) -> list[ScanLoop]:
    """All such repetitions of a pattern."""
    if is_anchored(node):
        return []
    parts = flat_parts(node)
    while parts and cannot_fail(parts[-1]):
        parts.pop()
    if parts and isinstance(parts[-1], Repeat) and is_single(parts[-1].body):
        parts.pop()  # behind it nothing fails
    first = first_mask(Concatenation(parts))
    found: list[ScanLoop] = []
    for part in parts:
        looks = any(isinstance(one, Lookaround) for one in nodes(part))
        for one in nodes(part):
            if isinstance(one, Repeat) and is_unbounded(one):
                taken = [
                    inner.characters
                    for inner in nodes(one.body)
                    if isinstance(inner, CharacterNode)
                ]
                if looks or any(first & characters.mask for characters in taken):
                    found.append(
                        ScanLoop(taken, 1 if isinstance(one.body, CharacterNode) else HEAVY_WEIGHT)
                    )
    return found


def first_mask(node: Node) -> int:
    """The characters that a match may begin with."""
    if isinstance(node, CharacterNode):
        return node.characters.mask
    if isinstance(node, BackReference):
        return ALL_CHARACTERS
    if isinstance(node, Assertion | Lookaround):
        return 0
    if isinstance(node, CaptureGroup | Repeat | AtomicGroup):
        return first_mask(node.body)
    made = 0
    if isinstance(node, Alternation):
        for one in node.alternatives:
            made |= first_mask(one)
        return made
    for part in node.parts:
        made |= first_mask(part)
        if not is_nullable(part):
            break
    return made
