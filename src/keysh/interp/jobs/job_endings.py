"""End the jobs of a shell, and wait until they have ended."""

from __future__ import annotations

from _thread import get_ident

from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Protocol

    from keysh.interp.jobs.jobs import ShellJob

    class JobSession(Protocol):
        """The part of a session that has jobs."""

        @property
        def has_jobs(self) -> bool: ...
        @property
        def threads(self) -> Collection[int]: ...
        def close(self) -> None: ...
        def stop_jobs(self, run: int) -> None: ...
        def unfinished_jobs(self) -> Collection[ShellJob]: ...


# For a command of the host that does not notice that its job has ended; others take milliseconds.
MAX_WAIT_SECONDS = 1.0


def end_jobs(session: JobSession, run: int | None = None) -> None:
    """Stop the jobs of one run, or all jobs of a session that ends, and wait for their ends."""
    if not session.has_jobs:
        return
    if run is None:
        session.close()
    else:
        session.stop_jobs(run)
    if get_ident() in session.threads:
        return  # a job that closes its own shell cannot wait for itself
    budget = Budget(timeout=MAX_WAIT_SECONDS)
    for job in session.unfinished_jobs():
        if run in (None, job.run) and job.budget.is_stopped:
            try:
                job.wait(budget)
            except LimitReached:
                return
