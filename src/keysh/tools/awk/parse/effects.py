"""Effects: which expressions may change what stands beside them."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree

# Functions that change something, or that see what an assignment makes before it assigns.
EFFECTIVE_FUNCTIONS = ("sub", "gsub", "split", "match", "length")
EFFECTIVE_NODES = (
    tree.Assign, tree.Increment, tree.Call, tree.IndirectCall, tree.Getline, tree.Membership,
)  # fmt: skip


def has_effects(node: tree.Node) -> bool:
    """Whether an expression may change what stands beside it, or see that it is there; then it is
    evaluated first.
    """
    return any(
        isinstance(one, EFFECTIVE_NODES)
        or (isinstance(one, tree.Builtin) and one.name in EFFECTIVE_FUNCTIONS)
        for one in node.walk()
    )
