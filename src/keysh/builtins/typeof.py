"""typeof - print the type of a value."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, OutputStyle, command
from keysh.schema.value_operands import one_value
from keysh.values import type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True), style=OptionStyle(has_help=False))
def typeof(sh: Call, *words: Raw) -> str:
    """Print the type of a value: null, bool, int, float, string, list or record.

    words ...  the value; no word means null
    """
    return type_name(one_value(words))
