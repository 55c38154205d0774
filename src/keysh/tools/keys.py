"""keys - return the keys of a record."""

from __future__ import annotations

from keysh.interp.builtins.value_operands import one_value, wrong_type
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(value=True)
def keys(sh: Call, *words: Raw) -> list[object]:
    """Return the list of a record's keys in order, or the indexes of a list.

    words ...  the record or list
    """
    value = one_value(words)
    if isinstance(value, list):
        return list(range(len(value)))
    if not isinstance(value, dict):
        raise wrong_type(sh, "a record or list", value, "keys $record")
    return list(value)
