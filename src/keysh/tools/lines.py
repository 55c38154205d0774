"""lines - the lines of a text."""

from __future__ import annotations

from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, OutputStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True), style=OptionStyle(has_help=False))
def lines(sh: Call, *words: Raw) -> list[str]:
    """Give the list of a text's lines, without their newlines.

    words ...  the text, or several
    """
    found: list[str] = []
    for text in expanded_texts(words):
        found += text.removesuffix("\n").split("\n") if text else []
    return found
