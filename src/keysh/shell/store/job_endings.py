"""End the jobs of a shell before the file goes that they write to."""

from __future__ import annotations

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.limits import Budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.session import Session

# For a command of the host that does not notice that its job has ended; others take milliseconds.
MAX_WAIT_SECONDS = 1.0


def end_jobs(session: Session, run: int | None = None) -> None:
    """Stop the jobs of one run, or all jobs, and wait until they have ended."""
    if not session.has_jobs:
        return
    session.stop_jobs(run)
    budget = Budget(timeout=MAX_WAIT_SECONDS)
    for job in session.unfinished_jobs():
        if run in (None, job.run) and not job.is_disowned:
            try:
                job.wait(budget)
            except LimitReached:
                return
