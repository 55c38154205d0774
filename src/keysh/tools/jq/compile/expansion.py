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
    from collections.abc import Callable
    from typing import Any

    from keysh.tools.jq.parse.syntax import JqNode

QUOTED_CHARACTER = 6  # `\u0007`; the text of an object is quoted at most twice
# Functions whose results are parts of their input, or shorter than it and its arguments.
SHORTENING_FUNCTIONS = frozenset({
    "abs/0", "add/0", "all/0", "all/1", "any/0", "any/1", "arrays/0", "ascii_downcase/0",
    "ascii_upcase/0", "booleans/0", "contains/1", "empty/0", "endswith/1", "first/0", "first/1",
    "floor/0", "has/1", "inside/1", "isvalid/1", "iterables/0", "join/1", "keys/0",
    "keys_unsorted/0", "last/0", "last/1", "length/0", "ltrimstr/1", "map/1", "map_values/1",
    "max/0", "max_by/1", "min/0", "min_by/1", "not/0", "nulls/0", "numbers/0", "objects/0",
    "reverse/0", "round/0", "rtrimstr/1", "scalars/0", "select/1", "sort/0", "sort_by/1",
    "startswith/1", "strings/0", "tonumber/0", "type/0", "unique/0", "unique_by/1", "values/0",
})  # fmt: skip


def expansion_of(node: JqNode) -> float:
    """Return how many times its input all results of a node together can be, at most.

    Infinity if that is not known. What the node compares or leaves out counts as if it were kept.
    """
    return EXPANSIONS.get(node.__class__, unknown_expansion)(node)


def unknown_expansion(node: Any) -> float:
    return inf


def sum_of(nodes: list[JqNode]) -> float:
    return sum(map(expansion_of, nodes))


def pipe_expansion(node: Any) -> float:
    product = 1.0
    for part in node.parts:
        product *= max(1.0, expansion_of(part))
    return product


def object_expansion(node: Any) -> float:
    """Several results of one value make several objects, each with the other values."""
    if any(may_have_several_results(value) for _, value in node.pairs):
        return inf
    return 1 + sum(expansion_of(key) + expansion_of(value) for key, value in node.pairs)


def may_have_several_results(node: JqNode) -> bool:
    """Whether a node is more than a path without `[]`, a constant or an array."""
    if isinstance(node, syntax.Index):
        return may_have_several_results(node.term) or may_have_several_results(node.key)
    return not isinstance(node, syntax.Identity | syntax.Literal | syntax.ArrayConstruction)


def invoke_expansion(node: Any) -> float:
    if f"{node.name}/{len(node.arguments)}" not in SHORTENING_FUNCTIONS:
        return inf
    return 1 + sum_of(node.arguments)


def string_expansion(node: Any) -> float:
    return QUOTED_CHARACTER**2 * sum(
        len(part) if isinstance(part, str) else expansion_of(part) for part in node.parts
    )


EXPANSIONS: dict[type[JqNode], Callable[[Any], float]] = {
    syntax.Identity: lambda node: 1,
    syntax.Literal: lambda node: len(json_text(node.value)),
    syntax.InterpolatedString: string_expansion,
    syntax.Index: lambda node: (
        expansion_of(node.term)
        + (0 if isinstance(node.key, syntax.Literal) else expansion_of(node.key))
    ),
    syntax.Iteration: lambda node: expansion_of(node.term),
    syntax.Pipe: pipe_expansion,
    syntax.Comma: lambda node: sum_of(node.parts),
    syntax.Negative: lambda node: expansion_of(node.term),
    syntax.Binary: lambda node: (
        inf if node.operator == "*" else 1 + sum_of([node.left, node.right])
    ),
    syntax.Alternative: lambda node: sum_of([node.left, node.right]),
    syntax.ArrayConstruction: lambda node: 1 + expansion_of(node.body),
    syntax.ObjectConstruction: object_expansion,
    syntax.Try: lambda node: expansion_of(node.body) if node.handler is None else inf,
    syntax.If: lambda node: sum_of([node.condition, node.yes, node.no]),
}
