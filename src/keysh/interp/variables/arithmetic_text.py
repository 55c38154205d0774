"""Arithmetic evaluation of text at run time, for subscripts, `let` and `declare -i`."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.arithmetic_messages import bad_number_fact, malformed_fact

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

MAX_EXPRESSION_DEPTH = 1024  # variables that hold names of variables, as in bash
DEPTH_PER_STACK = 32


def evaluate_arithmetic(state: State, text: str) -> int | float:
    """Evaluate an arithmetic expression; a syntax error in it fails only the current command."""
    try:
        expression = state.compiler.arithmetic(text, state)
    except ScriptError as error:
        first = error.diagnostics[0]
        if state.dialect.evaluates_text:
            fact = malformed_fact(text, first.fact, first.datum, first.start)
            raise RuntimeDiagnostic(first.code, fact, text.lstrip(), first.fix) from None
        is_part = first.datum not in ("", text)
        fact = f"{first.fact}: {first.datum}" if is_part else first.fact
        raise RuntimeDiagnostic(first.code, fact, text, first.fix) from None
    try:
        number: int | float = expression(state)
    except RuntimeDiagnostic as problem:
        if problem.is_bad_literal and problem.start >= 0:
            problem.fact = bad_number_fact(text[problem.start :])
            problem.datum, problem.is_bad_literal = text.lstrip(), False
        problem.start = problem.end = -1  # a place in `text`, which is not in the script
        raise
    return number


def evaluate_value(state: State, text: str) -> int | float:
    """Evaluate the text that a variable of the bash dialect holds: a name, or an expression."""
    if state.expression_depth >= MAX_EXPRESSION_DEPTH:
        raise RuntimeDiagnostic("E208", "expression recursion level exceeded", text)
    state.tick()  # `v2=v1+v1 v3=v2+v2 …` takes 2^n evaluations, each in a new expression
    state.expression_depth += 1
    try:
        if state.expression_depth % DEPTH_PER_STACK:
            return evaluate_arithmetic(state, text)
        return state.on_fresh_stack(lambda: evaluate_arithmetic(state, text))
    finally:
        state.expression_depth -= 1
