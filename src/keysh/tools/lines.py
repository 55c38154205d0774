"""lines - return the lines of a string."""

from __future__ import annotations

from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, OutputStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True), style=OptionStyle(has_help=False))
def lines(sh: Call, *words: Raw) -> list[str]:
    """Return the list of a string's lines, without their newlines.

    words ...  one or more strings
    """
    result: list[str] = []
    for text in expanded_texts(words):
        result += text.removesuffix("\n").split("\n") if text else []
    return result
