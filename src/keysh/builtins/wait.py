"""wait - wait for background jobs."""

from __future__ import annotations

from keysh.interp.engine.signal_delivery import SIGNAL_STATUS_BASE, pending_signal
from keysh.interp.jobs.names import find_job, named_jobs
from keysh.interp.run.peer_wait import PeerWait
from keysh.interp.state.state_of_call import invalid_identifier, state_of
from keysh.schema.declare import Refusals, command
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

STATUS_UNKNOWN_JOB = 127
JOBS_POLL_SECONDS = 0.005  # how often several jobs are checked


@command(refusals=Refusals(usage_status=2), ignored="-f, --forced")
def wait(
    sh: Call,
    *names: str,
    next: bool = False,
    variable: str | None = None,
) -> int:
    """Wait for background jobs and return the status of the last one.

    names ...            process numbers or jobs such as %1 (default: all jobs)
    -n, --next           wait for any one of them
    -p, --variable NAME  set NAME to the process number of the job waited for
    """
    state = state_of(sh)
    if variable is not None:
        if not variable.isidentifier():
            raise invalid_identifier(sh, variable)
        state.unset(variable)
    state.out.flush()
    if next:
        return wait_for_any(sh, state, names, variable)
    if not names:
        for job in child_jobs(state):
            wait_for_job(state, job, None)
        return interruption_status(state)
    status = 0
    for name in names:
        child = child_of(state, name)
        status = (
            wait_for_job(state, child, variable)
            if child
            else past_status(sh, state, name, variable)
        )
    return status


def child_jobs(state: State) -> list[ShellJob]:
    """Return the jobs that this shell or job started; it cannot wait for others."""
    own = state.session.jobs.shell_pid_of(state)
    return [job for job in named_jobs(state) if job.parent == own]


def child_of(state: State, name: str) -> ShellJob | None:
    """Return the child job with this name."""
    job = find_job(state, name)
    return job if job in child_jobs(state) else None


def wait_for_job(state: State, job: ShellJob, variable: str | None) -> int:
    """Wait for a job, remove it from the table and return its status.

    A trapped signal ends the wait so that its trap can run.
    """
    with PeerWait(state.budget, job.has_ended):
        while job.status is None:
            state.budget.check()
            if status := interruption_status(state):
                return status
            job.pause()
    state.budget.check()  # what ended the job may be the limit of the run
    status = job.status
    state.session.jobs.forget(job)
    if variable is not None:
        state.assign(variable, state.session.jobs.visible_pid(job, state))
    job.pass_refusal_on()
    return status


def interruption_status(state: State) -> int:
    """Return the status of a wait that a signal interrupted, or 0."""
    number = pending_signal(state)
    return number and SIGNAL_STATUS_BASE + number


def past_status(sh: Call, state: State, name: str, variable: str | None) -> int:
    """Return the status of a job that is no longer in the table, or an error for an unknown one."""
    pid = bounded_number(name) if is_digits(name) else -1
    if pid in state.session.jobs.statuses:
        if variable is not None:
            state.assign(variable, pid)
        return state.session.jobs.statuses[pid]
    if is_digits(name):
        sh.complain(f"wait: pid {name} is not a child of this shell")
    elif name[:1] == "%":
        sh.complain(f"wait: {name}: no such job")
    else:
        sh.complain(f"wait: `{name}': not a pid or valid job spec")
        return 1
    return STATUS_UNKNOWN_JOB


def wait_for_any(sh: Call, state: State, names: Sequence[str], variable: str | None) -> int:
    """Wait for the first job to end."""
    found = [child_of(state, name) for name in names] if names else child_jobs(state)
    candidates = [job for job in found if job is not None]
    with PeerWait(state.budget, lambda: any(job.has_ended() for job in candidates)):
        while candidates:
            for job in candidates:
                if job.status is not None:
                    return wait_for_job(state, job, variable)
            if status := interruption_status(state):
                return status
            sh.tick()
            state.budget.sleep(JOBS_POLL_SECONDS)
    return STATUS_UNKNOWN_JOB
