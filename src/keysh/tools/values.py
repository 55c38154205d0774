"""values - return the values of a record."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, command
from keysh.schema.value_operands import one_value, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True))
def values(sh: Call, *words: Raw) -> list[object]:
    """Return the list of a record's values in order; a list is returned as it is.

    words ...  the record or list
    """
    value = one_value(words)
    if isinstance(value, dict):
        return list(value.values())
    if not isinstance(value, list):
        raise sh.fail(wrong_type("a record or list", value, "values $record"))
    return list(value)
