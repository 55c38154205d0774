"""Operators: how tightly each binds, and the nodes that they make."""

from __future__ import annotations

from keysh.tools.jq.parse.syntax import (
    Alternative,
    Assign,
    Binary,
    Bind,
    Identity,
    Index,
    Iteration,
    JqNode,
    Literal,
    NamePattern,
    ObjectConstruction,
    Pipe,
    Slice,
    Try,
    Variable,
)

# How tightly an operator binds, and what may stand on its right.
LEFT, RIGHT, NONE = 0, 1, 2
OPERATOR_PRECEDENCE: dict[str, tuple[int, int]] = {
    "'|'": (1, LEFT), "','": (2, LEFT), "//": (3, RIGHT),
    "'='": (4, NONE), "|=": (4, NONE), "+=": (4, NONE), "-=": (4, NONE), "*=": (4, NONE),
    "/=": (4, NONE), "%=": (4, NONE), "//=": (4, NONE),
    "or": (5, LEFT), "and": (6, LEFT),
    "==": (7, NONE), "!=": (7, NONE), "'<'": (7, NONE), "'>'": (7, NONE), "<=": (7, NONE),
    ">=": (7, NONE),
    "'+'": (8, LEFT), "'-'": (8, LEFT), "'*'": (9, LEFT), "'/'": (9, LEFT), "'%'": (9, LEFT),
}  # fmt: skip


def optional_node(node: JqNode) -> JqNode:
    """`node?`: behind an index only what that fails at is left out, not all that is still to come.

    A key may have several values, each of which counts for every value of the term.
    """
    if not isinstance(node, Index | Slice | Iteration):
        return Try(node, None)
    keys: list[JqNode] = []
    if isinstance(node, Slice):
        keys = [bound or Literal(None) for bound in (node.start, node.end)]
    elif isinstance(node, Index):
        keys = [node.key]
    if isinstance(node.term, Identity) and all(isinstance(key, Literal) for key in keys):
        return Try(node, None)  # nothing else can fail
    if isinstance(node, Iteration):
        return Pipe([node.term, Try(Iteration(Identity()), None)])
    key = keys[0]
    if isinstance(node, Slice):
        key = ObjectConstruction([(Literal("start"), keys[0]), (Literal("end"), keys[1])])
    # No program can write such a name.
    found = Index(Variable(0, "key of ?"), Identity())
    return Bind(Pipe([node.term, Try(found, None)]), [NamePattern("key of ?")], key)


def operator_node(left: JqNode, operator: str, right: JqNode) -> JqNode:
    """An operator with its operands."""
    if operator == "//":
        return Alternative(left, right)
    if OPERATOR_PRECEDENCE.get(operator, OPERATOR_PRECEDENCE.get(f"'{operator}'"))[0] == 4:  # type: ignore[index]
        return Assign(left, operator, right)
    return Binary(left, operator, right)
