"""Converted values: what `declare -i`, `-l` and `-u` make of a value, and of what `+=` adds."""

from __future__ import annotations

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.variables.arithmetic_text import evaluate_arithmetic
from keysh.interp.variables.variable import INTEGER, LOWER, UPPER
from keysh.text.letter_case import to_lower, to_upper
from keysh.text.shell_numbers import MAX_INT64, MIN_INT64, parse_decimal
from keysh.values import CONTAINERS, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.state import State

CONVERSIONS = INTEGER | LOWER | UPPER


def converted_value(state: State, value: Any, bits: int) -> Any:
    """Return a value as the attributes require; a list or record element by element."""
    if isinstance(value, CONTAINERS):
        converted: Any = deep_copy(value)
        pairs = list(converted.items()) if isinstance(value, dict) else enumerate(value)
        for key, item in pairs:
            converted[key] = converted_value(state, item, bits)
        return converted
    if bits & INTEGER:
        return integer_value(state, value)
    if not bits & (LOWER | UPPER):
        return value
    text = text_of(value)
    text = to_lower(text) if bits & LOWER else to_upper(text)
    state.check_text(text)
    return text


def integer_value(state: State, value: Any) -> int:
    """Evaluate a value as an arithmetic expression, as `declare -i` does."""
    if value.__class__ is int:
        return value
    text = text_of(value)
    number: int | float | None = parse_decimal(text)
    if number is None:
        try:
            number = evaluate_arithmetic(state, text)
        except RuntimeDiagnostic as problem:
            problem.is_of_attribute = True
            raise
    if not isinstance(number, int):
        raise RuntimeDiagnostic("E208", "the variable holds whole numbers only", text)
    return number


def integer_sum(state: State, old: Any, added: Any) -> int:
    """Return what `+=` makes of an integer variable."""
    left, right = integer_value(state, old or 0), integer_value(state, added)
    total = left + right
    if MIN_INT64 <= total <= MAX_INT64:
        return total
    # The dialect decides: an error, or a number that has wrapped around.
    return integer_value(state, f"{left} + {right}")
