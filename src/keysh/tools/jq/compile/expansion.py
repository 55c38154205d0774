"""How large the results of a program can be, beside the text of its input.

Only a program that puts a value into another one several times makes much of little. For most
programs their tree shows that they do not, so that no result need be measured before it is printed.
"""

from __future__ import annotations

from math import inf

import keysh.tools.jq.parse.syntax as syntax
from keysh.tools.jq.values.writer import json_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.tools.jq.parse.syntax import JqNode

QUOTED_CHARACTER = 6  # `\u0007`; the text of an object is quoted at most twice


def expansion_of(node: JqNode) -> float:
    """Return how many times its input all results of a node together can be, at most.

    Infinity if that is not known. What the node compares or leaves out counts as if it were kept.
    """
    return EXPANSIONS.get(node.__class__, unknown_expansion)(node)


def unknown_expansion(node: Any) -> float:
    return inf


def sum_of(nodes: Sequence[JqNode]) -> float:
    return sum(map(expansion_of, nodes))


def pipe_expansion(node: Any) -> float:
    product = 1.0
    for part in node.parts:
        product *= max(1.0, expansion_of(part))
    return product


def is_product(nodes: Sequence[JqNode]) -> bool:
    """Whether one of several nodes may have many results, each of which meets those of another.

    A constant is short, however often it is met.
    """
    several = [node for node in nodes if has_several_results(node)]
    if not several:
        return False
    return any(node is not several[0] and not isinstance(node, syntax.Literal) for node in nodes)


def has_several_results(node: JqNode) -> bool:
    """Whether a node may have more than one result for one input."""
    if isinstance(node, syntax.Index):
        return has_several_results(node.term) or has_several_results(node.key)
    if isinstance(node, syntax.Binary):
        return has_several_results(node.left) or has_several_results(node.right)
    return not isinstance(node, syntax.Identity | syntax.Literal | syntax.ArrayConstruction)


def index_expansion(node: Any) -> float:
    if isinstance(node.key, syntax.Literal):
        return expansion_of(node.term)
    return inf if is_product([node.term, node.key]) else sum_of([node.term, node.key])


def binary_expansion(node: Any) -> float:
    parts = [node.left, node.right]
    return inf if node.operator == "*" or is_product(parts) else 1 + sum_of(parts)


def object_expansion(node: Any) -> float:
    parts = [part for pair in node.pairs for part in pair]
    return inf if is_product(parts) else 1 + sum_of(parts)


def condition_expansion(node: Any) -> float:
    branches = [node.yes, node.no]
    is_repeated = has_several_results(node.condition) and not all(
        isinstance(branch, syntax.Literal) for branch in branches
    )
    return inf if is_repeated else sum_of([node.condition, *branches])


def string_expansion(node: Any) -> float:
    nodes = [part for part in node.parts if not isinstance(part, str)]
    if is_product(nodes):
        return inf
    constant = sum(len(part) for part in node.parts if isinstance(part, str))
    return QUOTED_CHARACTER**2 * (constant + sum_of(nodes))


EXPANSIONS: dict[type[JqNode], Callable[[Any], float]] = {
    syntax.Identity: lambda node: 1,
    syntax.Literal: lambda node: len(json_text(node.value)),
    syntax.InterpolatedString: string_expansion,
    syntax.Index: index_expansion,
    syntax.Iteration: lambda node: expansion_of(node.term),
    syntax.Pipe: pipe_expansion,
    syntax.Comma: lambda node: sum_of(node.parts),
    syntax.Negative: lambda node: expansion_of(node.term),
    syntax.Binary: binary_expansion,
    syntax.Alternative: lambda node: sum_of([node.left, node.right]),
    syntax.ArrayConstruction: lambda node: 1 + expansion_of(node.body),
    syntax.ObjectConstruction: object_expansion,
    syntax.Try: lambda node: expansion_of(node.body) if node.handler is None else inf,
    syntax.If: condition_expansion,
}
