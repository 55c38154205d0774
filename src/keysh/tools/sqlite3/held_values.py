"""How many values a statement makes in one go, and how large each of them may be then.

SQLite looks at its limits where a program of its machine jumps. A statement of 2000 columns makes a
value for each of them before that, and LIKE compares each of them for as long as it takes.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

MAX_HELD_VALUES = 32  # of the largest size, in one go
MAX_MATCHED_BYTES = 4 << 20  # which LIKE and GLOB compare in one go: 0.4 s with the worst pattern
FEW_VALUES = 16  # a statement with fewer signs of values needs no closer look

VALUE_SIGN = re.compile(r"[,(]|\|\|")
MATCH_WORD = re.compile(r"like|glob|match|regexp", re.IGNORECASE)
VALUE_INSTRUCTIONS = frozenset({
    "AggFinal", "AggValue", "Cast", "Column", "Concat", "Function", "MakeRecord", "PureFunc",
})  # fmt: skip
FUNCTION_INSTRUCTIONS = frozenset({"Function", "PureFunc"})
MATCH_FUNCTIONS = ("like(", "glob(")


def may_hold_many(statement: str) -> bool:
    """Whether the text of a statement may stand for many values, or for some that are compared."""
    if MATCH_WORD.search(statement):
        return True
    signs = VALUE_SIGN.finditer(statement)
    return sum(1 for _ in zip(range(FEW_VALUES), signs, strict=False)) == FEW_VALUES


def largest_value(program: Iterable[Sequence[Any]], max_bytes: int) -> int:
    """Return how large a value may be in a program, of which EXPLAIN prints the instructions."""
    values = matches = 0
    for _, opcode, _, _, _, operand, *_ in program:
        if opcode in VALUE_INSTRUCTIONS:
            values += 1
            if opcode in FUNCTION_INSTRUCTIONS and str(operand).startswith(MATCH_FUNCTIONS):
                matches += 1
    if values > MAX_HELD_VALUES:
        max_bytes = max_bytes * MAX_HELD_VALUES // values
    return min(max_bytes, MAX_MATCHED_BYTES // matches) if matches else max_bytes
