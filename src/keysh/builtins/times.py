"""times - print processor times."""

from __future__ import annotations

from keysh.interp.builtin_operations.time_report import format_minutes
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def times(sh: Call) -> str:
    """Print the processor time of the shell; that of its programs is not counted."""
    state, nothing = state_of(sh), format_minutes(0)
    session = state.session
    work = session.clocks().total_work(session.worked_seconds, state.budget.work_before())
    return f"{format_minutes(work)} {nothing}\n{nothing} {nothing}\n"
