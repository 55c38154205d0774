"""values - the values of a record."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, command
from keysh.schema.value_operands import one_value, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True))
def values(sh: Call, *words: Raw) -> list[object]:
    """Give the list of a record's values, in their order; a list is its own.

    words ...  the record or list
    """
    found = one_value(words)
    if isinstance(found, dict):
        return list(found.values())
    if not isinstance(found, list):
        raise sh.fail(wrong_type("a record or list", found, "values $record"))
    return list(found)
