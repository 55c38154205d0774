"""Arithmetic evaluation of text at run time, for subscripts, `let` and `declare -i`."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State


def evaluate_arithmetic(state: State, text: str) -> int | float:
    """Evaluate an arithmetic expression; a syntax error in it fails only the current command."""
    try:
        expression = state.session.compiler.arithmetic(text)
    except ScriptError as error:
        first = error.diagnostics[0]
        fact = f"{first.fact}: {first.datum}" if first.datum else first.fact
        raise RuntimeDiagnostic(first.code, fact, text, first.fix) from None
    number: int | float = expression(state)
    return number
