"""Given numbers: operands of `exit`, `break`, `shift` and their kin, judged in sh's own words."""

from __future__ import annotations

from keysh.interp.run.problem import RuntimeDiagnostic
from keysh.schema.types import INT, ParameterType, UnfitValue

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeAlias

MAX_STATUS = 255  # of all statuses


class NumberType(ParameterType):
    """A number as text. What is none the command refuses itself: it may have to leave all the same.

    It is named `int`, so that `-1` is an operand.
    """

    __slots__ = ()

    def schema(self) -> dict[str, Any]:
        return {"type": ["integer", "string"]}


if TYPE_CHECKING:
    Number: TypeAlias = str
else:
    Number = NumberType("int", "a whole number")


def parse_number(text: str) -> int | None:
    """The number that a text is, blanks around it aside."""
    try:
        return int(INT.parse(text.strip()))
    except UnfitValue:
        return None


def status_in_range(name: str, number: int, *, ends: bool = False) -> int:
    """A status, which is one byte. Where the command would have ended the run, the problem does."""
    if 0 <= number <= MAX_STATUS:
        return number
    fix = f"{name} $(( {number} & 255 )), which is what sh makes of it"
    raise RuntimeDiagnostic("E210", "a status must be 0 to 255", str(number), fix, is_final=ends)
