"""fg - bring a job to the foreground."""

from __future__ import annotations

from keysh.interp.jobs.names import jobs_or_current
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2))
def fg(sh: Call, *names: str) -> int:
    """Continue a job in the foreground and return its status.

    names ...  the jobs, such as %1 or %text (default: the current job)
    """
    state, status = state_of(sh), 0
    for job in jobs_or_current(sh, state, names):
        sh.out.write(f"{job.text}\n")
        sh.out.flush()
        if job.suspended is not None:
            status = job.suspended.resume_in_foreground(state.budget)
        else:
            status = job.wait(state.budget)
        if job.status is not None:
            state.session.jobs.forget(job)
            job.pass_refusal_on()
    return status
