"""fromjsonl - the values of JSON lines."""

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
    """Read JSON lines: `$(fromjsonl …)` is the list of their values.

    words ...  the lines, of which empty ones do not count; standard input without them
    """
    found: list[object] = []
    for number, line in enumerate(text_or_input(sh, words).split("\n"), 1):
        sh.tick()
        if not line.strip():
            continue
        try:
            found.append(value_of_json(line))
        except (ValueError, RecursionError) as error:
            raise sh.fail(f"line {number} is no JSON: {error}") from None
    return found
