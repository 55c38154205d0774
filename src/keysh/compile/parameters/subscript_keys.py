"""Keys: the subscripts of a path, as the keys with which a value is read."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.interp.variables.variable import AllKey, single_element_problem
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State


def subscript_keys(
    subscripts: Sequence[ast.Subscript | ast.AllSubscript], context: CompileContext
) -> Expression:
    """Compile the subscripts of a path: a list of strings and numbers."""
    reads = [subscript_key(subscript, context) for subscript in subscripts]
    if len(reads) == 1:
        read = reads[0]
        return lambda state: [read(state)]  # 1.7 times as fast
    return lambda state: [read(state) for read in reads]


def subscript_key(
    subscript: ast.Subscript | ast.AllSubscript, context: CompileContext
) -> Expression:
    """Compile one subscript. The value decides whether it is a key, an index or a slice."""
    if isinstance(subscript, ast.AllSubscript):
        mark = subscript.mark
        if context.source.dialect is BASH:
            key_of_all = AllKey(mark)
            return lambda state: key_of_all

        def refuse(state: State) -> Any:
            raise single_element_problem(mark).with_location(subscript)

        return refuse
    word = subscript.word
    known = constant_text(word)
    if known is not None:
        return lambda state: known
    if len(word.parts) == 1 and isinstance(word.parts[0], ast.Variable | ast.ArithmeticExpansion):
        return context.part(word.parts[0])
    return context.text(word)
