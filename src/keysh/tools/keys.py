"""keys - the keys of a record."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, command
from keysh.schema.value_operands import one_value, wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True))
def keys(sh: Call, *words: Raw) -> list[object]:
    """Give the list of a record's keys, in their order; of a list, its indices.

    words ...  the record or list
    """
    found = one_value(words)
    if isinstance(found, list):
        return list(range(len(found)))
    if not isinstance(found, dict):
        raise sh.fail(wrong_type("a record or list", found, "keys $record"))
    return list(found)
