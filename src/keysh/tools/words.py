"""words - return the words of a string."""

from __future__ import annotations

from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, OutputStyle, command
from keysh.text.fields import WHITE_SEPARATORS, field_splitter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True), style=OptionStyle(has_help=False))
def words(sh: Call, *words: Raw) -> list[str]:
    """Return the list of a string's words, separated by blanks, tabs and newlines.

    words ...  one or more strings
    """
    splitter = field_splitter(WHITE_SEPARATORS)
    return [word for text in expanded_texts(words) for word in splitter.words(text)]
