"""Stale reads: sh expands `$x` before it evaluates, so in `i++ + $i` it reads the old value.

keysh evaluates from the left, and refuses an expression in which that would give another result.
"""

from __future__ import annotations

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.arithmetic.variables import NumberReader
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node


def stale_read(node: ast.Arithmetic) -> ast.Variable | ast.Reference | None:
    """The first `$x` that an expression reads after changing x; None if there is none."""
    return stale_read_after(node, set())


def stale_read_after(node: Node, changed: set[str]) -> ast.Variable | ast.Reference | None:
    """The same for a part, after changes of the variables named; adds the part's own."""
    if isinstance(node, ast.Word):
        for part in node.walk() if changed else ():
            if isinstance(part, ast.Variable | ast.Reference) and part.name in changed:
                return part
        return None
    if isinstance(node, ast.Step):
        changed.add(node.reference.name)
        return None
    if isinstance(node, ast.Assignments):
        read = stale_read_after(node.value, changed)
        changed.update(target.reference.name for target in node.targets)
        return read
    for child in node.children():
        read = stale_read_after(child, changed)
        if read is not None:
            return read
    return None


def refuse_stale_read(node: ast.Variable | ast.Reference) -> NumberReader:
    """Fail with E208, since sh would read another value here."""

    def refuse(state: State) -> int | float:
        fix = f"{node.name} for the new value, or save the old one first"
        fact = "sh would expand this before the change"
        raise RuntimeDiagnostic("E208", fact, f"${node.name}", fix).with_location(node)

    return refuse
