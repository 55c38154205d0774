"""disown - let jobs outlive the shell."""

from __future__ import annotations

from keysh.interp.jobs.names import jobs_or_current, named_jobs
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2))
def disown(
    sh: Call, *names: str, all: bool = False, hold: bool = False, running: bool = False
) -> None:
    """Let jobs go on when the shell ends; they are no longer listed.

    names ...      which ones: %1, %text; the newest without any
    -a, --all      all of them
    -h, --hold     ignored
    -r, --running  all that run
    """
    state = state_of(sh)
    is_all = (all or running) and not names
    for job in named_jobs(state) if is_all else jobs_or_current(sh, state, names):
        if not running or job.status is None:
            job.is_disowned = True
