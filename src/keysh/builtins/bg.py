"""bg - continue stopped jobs in the background."""

from __future__ import annotations

from keysh.interp.jobs.names import jobs_or_current
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2))
def bg(sh: Call, *names: str) -> None:
    """Continue stopped jobs in the background.

    names ...  the jobs, such as %1 or %text (default: the current job)
    """
    for job in jobs_or_current(sh, state_of(sh), names):
        if job.is_stopped and job.suspended is not None:
            job.suspended.resume_in_background()
            sh.out.write(f"[{job.number}]+ {job.text} &\n")
        elif job.status is None:
            sh.note(f"job {job.number} already in background")
        else:
            sh.warn("job has terminated")
