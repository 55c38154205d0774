"""shift - remove leading arguments."""

from __future__ import annotations

from keysh.interp.builtin_operations.number_operand import Number, parse_number
from keysh.interp.run.options import SHIFT_VERBOSE
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(extra_operand_error="too many arguments"))
def shift(sh: Call, count: Number = "1") -> int:
    """Remove the first of the arguments $1, $2 and so on.

    count  number of arguments to remove; fail if there are fewer
    """
    state = state_of(sh)
    number = parse_number(count)
    if number is None:
        raise sh.fail(f"{count}: numeric argument required")
    if number < 0:
        raise sh.fail(f"{count}: shift count out of range")
    if number > len(state.arguments):
        if state.flags & SHIFT_VERBOSE:
            raise sh.fail(f"{count}: shift count out of range")
        return 1
    state.arguments = state.arguments[number:]  # a new list: a caller may share the old one
    return 0
