"""Operands in single quotes: text to bash, which no expression can hold."""

from __future__ import annotations

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.arithmetic.variables import NumberReader
    from keysh.compile.context import CompileContext
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node


def is_single_quoted(part: Node) -> bool:
    """Whether a part of a word is in single quotes."""
    return isinstance(part, ast.Quoted) and part.style == "'"


def quoted_number(node: ast.Word, context: CompileContext) -> NumberReader:
    """`'1'`, which is no operand to bash."""
    written = context.source.text[node.start : node.end]

    def refuse(state: State) -> int | float:
        problem = RuntimeDiagnostic("E107", "expected a number or a name, found", written)
        raise problem.with_location(node)

    return refuse
