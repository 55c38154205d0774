"""Which expressions have side effects on the operands beside them."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree

# Functions that assign, or that can observe an assignment beside them.
EFFECTIVE_FUNCTIONS = ("sub", "gsub", "split", "match", "length")
EFFECTIVE_NODES = (
    tree.Assign, tree.Increment, tree.Call, tree.IndirectCall, tree.Getline, tree.Membership,
)  # fmt: skip


def has_effects(node: tree.Node) -> bool:
    """Return whether an expression may affect other operands, so that the order matters."""
    return any(
        isinstance(descendant, EFFECTIVE_NODES)
        or (isinstance(descendant, tree.Builtin) and descendant.name in EFFECTIVE_FUNCTIONS)
        for descendant in node.walk()
    )
