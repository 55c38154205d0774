"""`set -e` and the ERR trap: what follows when a command outside a condition fails."""

from __future__ import annotations

from keysh.interp.engine.function_call import UntrappedStatus
from keysh.interp.engine.traps import is_trap_active, run_trap
from keysh.interp.run.control_flow import Exit
from keysh.interp.run.options import ERREXIT, ERRTRACE, TRAPS_ERR
from keysh.interp.run.pipe_status import TrappedStatus

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State


def handle_failure(state: State, status: int, site: Site) -> int:
    """Handle a failed command outside a condition: run the ERR trap; with `set -e` exit.

    The status tells a pipeline, which this may be the end of, that the trap has run.
    """
    if state.is_tested > 0:
        return status
    is_trapped = status.__class__ is not UntrappedStatus
    if is_trapped and state.flags & TRAPS_ERR and is_trap_active(state, "ERR", ERRTRACE):
        run_trap(state, "ERR", site)
        state.status = status
        if status.__class__ is int:
            status = TrappedStatus(status)
    if state.flags & ERREXIT:
        if "EXIT" in state.traps:
            state.variables["BASH_COMMAND"] = site.text
        raise Exit(+status)
    return status
