"""Numeric operands of `exit`, `break`, `shift` and so on, with the messages of bash."""

from __future__ import annotations

from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.schema.types import INT, ParameterType, UnfitValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

    from keysh.diagnostics.dialect import Dialect

MAX_STATUS = 255


class NumberType(ParameterType):
    """A number as text; the command itself rejects other text, because `exit x` exits all the same.

    The type is called `int` so that `-1` is an operand, not an option.
    """

    __slots__ = ()

    def schema(self) -> dict[str, Any]:
        return {"type": ["integer", "string"]}


if TYPE_CHECKING:
    Number: TypeAlias = str
else:
    Number = NumberType("int", "a whole number")


def parse_number(text: str) -> int | None:
    """Parse an integer, ignoring blanks around it; None for anything else."""
    try:
        return int(INT.parse(text.strip()))
    except UnfitValue:
        return None


def status_in_range(name: str, number: int, dialect: Dialect, *, ends: bool = False) -> int:
    """Check that a status is one byte; with `ends` the error ends the run, as the command would."""
    if 0 <= number <= MAX_STATUS:
        return number
    if dialect.is_lenient:
        return number & MAX_STATUS
    fix = f"{name} $(( {number} & 255 )), which is what sh makes of it"
    raise RuntimeDiagnostic("E210", "a status must be 0 to 255", str(number), fix, is_final=ends)
