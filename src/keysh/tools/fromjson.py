"""fromjson - parse JSON."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, command
from keysh.schema.value_operands import text_or_input
from keysh.syntax.parser import GarbagePause
from keysh.values import value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True))
def fromjson(sh: Call, *words: Raw) -> object:
    """Parse JSON: `$(fromjson ...)` is its value.

    words ...  the JSON text; standard input by default
    """
    text = text_or_input(sh, words)
    sh.require_utf8(
        text, "JSON cannot hold bytes", "read the bytes with another command, such as `od`"
    )
    try:
        with GarbagePause(text):
            return value_of_json(text)
    except ValueError as error:
        raise sh.fail(f"invalid JSON: {error}") from None
