"""Repetitions without a bound, and what back references to them compare."""

from __future__ import annotations

from keysh.text.regex.regex_tree import BackReference, CaptureGroup, CharacterNode, Repeat, nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.charset import CharacterSet
    from keysh.text.regex.regex_tree import Node

MANY_REPETITIONS = 16  # a larger bound counts as unbounded


def is_unbounded(node: Repeat) -> bool:
    return node.most is None or node.most > MANY_REPETITIONS


def characters_in(node: Node) -> list[CharacterSet]:
    """Return all sets in a node."""
    return [one.characters for one in nodes(node) if isinstance(one, CharacterNode)]


def compared_sets(node: Node) -> list[CharacterSet]:
    """Return the characters that back references compare on each path, if there may be many."""
    numbers = {one.number for one in nodes(node) if isinstance(one, BackReference)}
    return [
        characters
        for group in (nodes(node) if numbers else ())
        if isinstance(group, CaptureGroup) and group.number in numbers
        if any(isinstance(one, Repeat) and is_unbounded(one) for one in nodes(group))
        for characters in characters_in(group)
    ]
