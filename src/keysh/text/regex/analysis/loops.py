"""Find repetitions that `re` may scan in vain from each start position: `x[^y]*y` in many x's.

A deterministic pattern costs one pass from each start position. If it can start again within
what a repetition has consumed, and the rest then fails, these passes add up to the length of the
text times that of the longest run.
"""

from __future__ import annotations

from keysh.text.regex.analysis.anchors import is_anchored
from keysh.text.regex.analysis.cost import (
    cannot_fail,
    flat_parts,
    is_single,
    is_unbounded,
)
from keysh.text.regex.charset import ASCII_MASK, NON_ASCII_BIT
from keysh.text.regex.regex_tree import (
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
    from keysh.text.regex.regex_tree import Node

ALL_CHARACTERS = ASCII_MASK | NON_ASCII_BIT
HEAVY_WEIGHT = 16  # the cost of a character where more than a single set is repeated


class ScanLoop:
    """A repetition that scans: the characters it consumes, and the cost of each."""

    __slots__ = ("sets", "weight")

    def __init__(self, sets: list[CharacterSet], weight: int) -> None:
        self.sets, self.weight = sets, weight


def scanning_loops(node: Node) -> list[ScanLoop]:
    """Return all such repetitions of a pattern."""
    if is_anchored(node):
        return []
    parts = flat_parts(node)
    while parts and cannot_fail(parts[-1]):
        parts.pop()
    if parts and isinstance(parts[-1], Repeat) and is_single(parts[-1].body):
        parts.pop()  # nothing after it can fail
    first = first_mask(Concatenation(parts))
    loops: list[ScanLoop] = []
    for part in parts:
        has_lookaround = any(isinstance(node_below, Lookaround) for node_below in nodes(part))
        for node_below in nodes(part):
            if isinstance(node_below, Repeat) and is_unbounded(node_below):
                sets = [
                    inner.characters
                    for inner in nodes(node_below.body)
                    if isinstance(inner, CharacterNode)
                ]
                if has_lookaround or any(first & characters.mask for characters in sets):
                    loops.append(
                        ScanLoop(
                            sets, 1 if isinstance(node_below.body, CharacterNode) else HEAVY_WEIGHT
                        )
                    )
    return loops


def first_mask(node: Node) -> int:
    """Return the mask of characters that a match can start with."""
    if isinstance(node, CharacterNode):
        return node.characters.mask
    if isinstance(node, BackReference):
        return ALL_CHARACTERS
    if isinstance(node, Assertion | Lookaround):
        return 0
    if isinstance(node, CaptureGroup | Repeat | AtomicGroup):
        return first_mask(node.body)
    mask = 0
    if isinstance(node, Alternation):
        for one in node.alternatives:
            mask |= first_mask(one)
        return mask
    for part in node.parts:
        mask |= first_mask(part)
        if not is_nullable(part):
            break
    return mask
