"""The common part of `break` and `continue`."""

from __future__ import annotations

from keysh.interp.builtin_operations.number_operand import parse_number
from keysh.interp.run.control_flow import Break, Exit
from keysh.interp.state.state_of_call import state_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.control_flow import LoopJump
    from keysh.interp.state.call import Call

STATUS_NOT_NUMERIC = 128  # as in bash


def leave_loops(sh: Call, count: str, kind: type[LoopJump]) -> None:
    """Leave `count` loops, or all if there are fewer."""
    state = state_of(sh)
    if not state.loops:
        sh.note("only meaningful in a `for', `while', or `until' loop")
        return
    number = parse_number(count)
    if number is None:
        sh.warn(f"{count}: numeric argument required")
        raise Exit(STATUS_NOT_NUMERIC)
    if number < 1:
        sh.warn(f"{count}: loop count out of range")
        raise Break(state.loops, 1)
    raise kind(min(number, state.loops))
