"""Staleness: sh replaces `$x` in arithmetic before it computes, so in `i++ + $i` it is the old one.

keysh computes from the left; where that would show it refuses.
"""

from __future__ import annotations

from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.arithmetic.variables import NumberReader
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node


def stale_read(node: ast.Arithmetic) -> ast.Variable | ast.Reference | None:
    """What an expression expands behind its change, if it does."""
    return stale_read_after(node, set())


def stale_read_after(node: Node, changed: set[str]) -> ast.Variable | ast.Reference | None:
    """The same of a part, behind changes of some variables; it adds its own."""
    if isinstance(node, ast.Word):
        for part in node.walk() if changed else ():
            if isinstance(part, ast.Variable | ast.Reference) and part.name in changed:
                return part
        return None
    if isinstance(node, ast.Step):
        changed.add(node.reference.name)
        return None
    if isinstance(node, ast.Assignments):
        found = stale_read_after(node.value, changed)
        changed.update(target.reference.name for target in node.targets)
        return found
    for child in node.children():
        found = stale_read_after(child, changed)
        if found is not None:
            return found
    return None


def refuse_stale_read(node: ast.Variable | ast.Reference) -> NumberReader:
    """What fails because it would not mean what it means in sh."""

    def refuse(state: State) -> int | float:
        fix = f"{node.name} for the new value, or take the old one before"
        fact = "sh would expand this before it changes"
        raise RuntimeDiagnostic("E208", fact, f"${node.name}", fix).with_location(node)

    return refuse
