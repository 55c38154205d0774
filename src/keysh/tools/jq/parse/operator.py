"""Operators: their precedence, their associativity, and the nodes that they make."""

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

# The associativity and the precedence of operators; a higher number binds more tightly.
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
    """Make the node of `node?`.

    After an index, an error must skip only that one result, not all that follow. The key is
    evaluated once, and each of its results is applied to every result of the term.
    """
    if not isinstance(node, Index | Slice | Iteration):
        return Try(node, None)
    keys: list[JqNode] = []
    if isinstance(node, Slice):
        keys = [bound or Literal(None) for bound in (node.start, node.end)]
    elif isinstance(node, Index):
        keys = [node.key]
    if isinstance(node.term, Identity) and all(isinstance(key, Literal) for key in keys):
        return Try(node, None)  # only the index itself can fail
    if isinstance(node, Iteration):
        return Pipe([node.term, Try(Iteration(Identity()), None)])
    key = keys[0]
    if isinstance(node, Slice):
        key = ObjectConstruction([(Literal("start"), keys[0]), (Literal("end"), keys[1])])
    # No program can use this name.
    indexed = Index(Variable(0, "key of ?"), Identity())
    return Bind(Pipe([node.term, Try(indexed, None)]), [NamePattern("key of ?")], key)


def operator_node(left: JqNode, operator: str, right: JqNode) -> JqNode:
    """Make the node of a binary operator."""
    if operator == "//":
        return Alternative(left, right)
    if OPERATOR_PRECEDENCE.get(operator, OPERATOR_PRECEDENCE.get(f"'{operator}'"))[0] == 4:  # type: ignore[index]
        return Assign(left, operator, right)
    return Binary(left, operator, right)
