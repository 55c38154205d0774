"""exit - exit the shell."""

from __future__ import annotations

from keysh.interp.builtin_operations.number_operand import Number, parse_number, status_in_range
from keysh.interp.engine.traps import exit_shell
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

STATUS_USAGE = 2


@command(refusals=Refusals(extra_operand_error="too many arguments"))
def exit_(sh: Call, status: Number | None = None) -> None:
    """Exit the shell or subshell.

    status  0 to 255 (default: the status of the last command)
    """
    state = state_of(sh)
    if status is None:
        exit_shell(state, state.status, is_bare=True)
    number = parse_number(status)
    if number is None:
        sh.warn(f"{status}: numeric argument required")
        exit_shell(state, STATUS_USAGE)
    exit_shell(state, status_in_range("exit", number, state.dialect, ends=True))
