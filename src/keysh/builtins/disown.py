"""disown - keep jobs running after the shell exits."""

from __future__ import annotations

from keysh.interp.jobs.names import jobs_or_current, named_jobs
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2), ignored="-h, --hold")
def disown(sh: Call, *names: str, all: bool = False, running: bool = False) -> None:
    """Remove jobs from the list and keep them running after the shell exits.

    names ...      the jobs, such as %1 or %text (default: the current job)
    -a, --all      all jobs
    -r, --running  all running jobs
    """
    state = state_of(sh)
    is_all = (all or running) and not names
    for job in named_jobs(state) if is_all else jobs_or_current(sh, state, names):
        if not running or job.status is None:
            job.is_disowned = True
