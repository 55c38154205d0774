"""exit - end the shell."""

from __future__ import annotations

from keysh.interp.builtins.number_operand import Number, checked_status, number_in
from keysh.interp.engine.traps import leave
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

WRONG = 2


@command
def exit_(sh: Call, status: Number | None = None) -> None:
    """End the shell, or the subshell.

    status  0 to 255; that of the last command where it is left out
    """
    state = state_of(sh)
    if status is None:
        leave(state, state.status, is_bare=True)
    number = number_in(status)
    if number is None:
        sh.warn(f"{status}: numeric argument required")
        leave(state, WRONG)
    leave(state, checked_status("exit", number, ends=True))
