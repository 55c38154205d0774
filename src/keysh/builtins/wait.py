"""wait - wait for jobs to end."""

from __future__ import annotations

from keysh.interp.engine.signal_delivery import SIGNALLED_STATUS, sent
from keysh.interp.jobs.names import job_of, known
from keysh.interp.state.state_of_call import not_a_name, state_of
from keysh.schema.declare import command
from keysh.text.shell_numbers import is_digits, known_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.jobs.jobs import Job
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

UNKNOWN = 127
TURN = 0.005  # seconds between two looks at several jobs


@command(usage=2)
def wait(
    sh: Call,
    *names: str,
    forced: bool = False,
    next: bool = False,
    variable: str | None = None,
) -> int:
    """Wait for jobs to end; the status is that of the last one.

    names ...            which ones: process numbers, %1; all without any
    -f, --forced         ignored
    -n, --next           wait for the first that ends
    -p, --variable NAME  the variable that gets the process number of the job whose status it is
    """
    state = state_of(sh)
    if variable is not None:
        if not variable.isidentifier():
            raise not_a_name(sh, variable)
        state.unset(variable)
    state.out.flush()
    if next:
        return first_ended(sh, state, names, variable)
    if not names:
        for job in children(state):
            ended(state, job, None)
        return interrupted(state)
    status = 0
    for name in names:
        found = child_of(state, name)
        status = ended(state, found, variable) if found else missing(sh, state, name, variable)
    return status


def children(state: State) -> list[Job]:
    """The jobs that this shell, or this job, has started: it can wait for no others."""
    own = state.session.jobs.number_of(state)
    return [job for job in known(state) if job.parent == own]


def child_of(state: State, name: str) -> Job | None:
    """The one of them that a name means."""
    job = job_of(state, name)
    return job if job in children(state) else None


def ended(state: State, job: Job, variable: str | None) -> int:
    """Wait for a job, which is then forgotten; its status.

    A signal that is trapped ends the wait, so that its trap can run.
    """
    while job.status is None:
        state.budget.look()
        if status := interrupted(state):
            return status
        job.pause()
    status = job.status
    state.session.jobs.forget(job)
    if variable is not None:
        state.assign(variable, state.session.jobs.process_of(job, state))
    return status


def interrupted(state: State) -> int:
    """The status of a wait that a signal has ended, or 0."""
    number = sent(state)
    return number and SIGNALLED_STATUS + number


def missing(sh: Call, state: State, name: str, variable: str | None) -> int:
    """The status of a job that has been waited for before, or that there never was."""
    pid = known_number(name) if is_digits(name) else -1
    if pid in state.session.jobs.statuses:
        if variable is not None:
            state.assign(variable, pid)
        return state.session.jobs.statuses[pid]
    if is_digits(name):
        sh.err.write(f"wait: pid {name} is not a child of this shell\n")
    elif name[:1] == "%":
        sh.err.write(f"wait: {name}: no such job\n")
    else:
        sh.err.write(f"wait: `{name}': not a pid or valid job spec\n")
        return 1
    return UNKNOWN


def first_ended(sh: Call, state: State, names: Sequence[str], variable: str | None) -> int:
    """Wait for whichever ends first."""
    found = [child_of(state, name) for name in names] if names else children(state)
    candidates = [job for job in found if job is not None]
    while candidates:
        for job in candidates:
            if job.status is not None:
                return ended(state, job, variable)
        if status := interrupted(state):
            return status
        sh.tick()
        state.budget.sleep(TURN)
    return UNKNOWN
