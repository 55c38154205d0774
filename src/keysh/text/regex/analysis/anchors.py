"""Where the matches of a pattern may begin: at one place, or at any."""

from __future__ import annotations

from keysh.text.regex.charset import ASCII_MASK, NON_ASCII_BIT
from keysh.text.regex.regex_tree import (
    Alternation,
    Assertion,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Repeat,
    is_nullable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex_tree import Node

NEWLINE_BIT = 1 << 10


def is_anchored(node: Node) -> bool:
    """Whether it can match only at the start of the text."""
    if isinstance(node, Concatenation):
        return bool(node.parts) and is_anchored(node.parts[0])
    if isinstance(node, Alternation):
        return all(map(is_anchored, node.alternatives))
    if isinstance(node, CaptureGroup):
        return is_anchored(node.body)
    return isinstance(node, Assertion) and node.kind == "text start"


def matches_once(node: Node) -> bool:
    """Whether a line has at most one match, which no empty one can follow.

    The pattern is anchored to the start of the line; or it ends at the line's end and is not empty;
    or it is only that end.
    """
    if is_anchored(node) or is_end(node):
        return True
    ends = isinstance(node, Concatenation) and bool(node.parts) and is_end(node.parts[-1])
    return ends and not is_nullable(node)


def is_end(node: Node) -> bool:
    """Whether it is the end of the text and nothing else."""
    return isinstance(node, Assertion) and node.kind == "text end"


def takes_all_before(node: Node) -> bool:
    """Whether it starts with `.*`: if it does not match at the start, it matches nowhere.

    Nor does it match again after its longest match.
    """
    if isinstance(node, Concatenation):
        return bool(node.parts) and takes_all_before(node.parts[0])
    if isinstance(node, CaptureGroup):
        return takes_all_before(node.body)
    if not isinstance(node, Repeat) or node.least or node.most is not None or node.is_lazy:
        return False
    body = node.body
    return (
        isinstance(body, CharacterNode)
        and body.characters.mask | NEWLINE_BIT == ASCII_MASK | NON_ASCII_BIT
    )
