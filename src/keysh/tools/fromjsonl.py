"""fromjsonl - parse JSON lines."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, command
from keysh.schema.value_operands import text_or_input
from keysh.values import value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True))
def fromjsonl(sh: Call, *words: Raw) -> list[object]:
    """Parse JSON lines: `$(fromjsonl ...)` is the list of their values.

    words ...  the lines; standard input by default; empty lines are skipped
    """
    values: list[object] = []
    for number, line in enumerate(text_or_input(sh, words).split("\n"), 1):
        sh.tick()
        if not line.strip():
            continue
        try:
            values.append(value_of_json(line))
        except ValueError as error:
            raise sh.fail(f"line {number} is not JSON: {error}") from None
    return values
