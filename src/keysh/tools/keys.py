"""keys - return the keys of a record."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, command
from keysh.schema.value_operands import one_value, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True))
def keys(sh: Call, *words: Raw) -> list[object]:
    """Return the list of a record's keys in order, or the indexes of a list.

    words ...  the record or list
    """
    value = one_value(words)
    if isinstance(value, list):
        return list(range(len(value)))
    if not isinstance(value, dict):
        raise sh.fail(wrong_type("a record or list", value, "keys $record"))
    return list(value)
