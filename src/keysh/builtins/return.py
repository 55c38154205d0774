"""return - return from a function or sourced script."""
# ruff: noqa: N999 - the file is named as the command is

from __future__ import annotations

from keysh.interp.builtin_operations.number_operand import Number, parse_number, status_in_range
from keysh.interp.run.control_flow import Return
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

STATUS_USAGE = 2


@command(refusals=Refusals(extra_operand_error="too many arguments"))
def return_(sh: Call, status: Number | None = None) -> None:
    """Return from the current function or sourced script.

    status  0 to 255 (default: the status of the last command)
    """
    state = state_of(sh)
    if not state.frames:
        raise sh.fail("can only `return' from a function or sourced script", STATUS_USAGE)
    if status is None:
        raise Return(state.status)
    number = parse_number(status)
    if number is None:
        sh.warn(f"{status}: numeric argument required")
        raise Return(STATUS_USAGE)
    raise Return(status_in_range("return", number, state.dialect))
