"""Job specifications: find the job for `%1`, `%%`, `%-`, `%text` or a process number."""

from __future__ import annotations

from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

CURRENT_JOB_NAMES, PREVIOUS_JOB_NAME = ("%", "%%", "%+"), "%-"


def named_jobs(state: State) -> list[ShellJob]:
    """Return the jobs that are not disowned, by number.

    A subshell `( … )` has those that it has started; `$(…)` and a stage of a pipeline see the
    jobs above.
    """
    jobs = state.session.jobs.visible_jobs()
    pids: list[int] = []
    above: State | None = state
    while above is not None:
        pids.append(above.pid)
        if above.has_own_jobs:
            return [job for job in jobs if job.parent in pids]
        above = above.parent
    return jobs


def job_marks(state: State) -> dict[int, str]:
    """Return the marks `+` and `-` of the current and the previous job by job number."""
    running = [job.number for job in named_jobs(state) if job.status is None]
    numbers = running or [job.number for job in named_jobs(state)]
    return dict(zip(reversed(numbers[-2:]), "+-", strict=False))


def find_job(state: State, text: str) -> ShellJob | None:
    """Return the job that a job specification or process number means; None if there is none."""
    jobs = named_jobs(state)
    if is_digits(text):
        return state.session.jobs.job_with_pid(bounded_number(text))
    name = text[1:]
    if text in CURRENT_JOB_NAMES or text == PREVIOUS_JOB_NAME:
        mark = "-" if text == PREVIOUS_JOB_NAME else "+"
        number = next((at for at, found in job_marks(state).items() if found == mark), None)
        return next((job for job in jobs if job.number == number), None)
    if text[:1] != "%":
        return None
    if is_digits(name):
        return next((job for job in jobs if job.number == bounded_number(name)), None)
    if name[:1] == "?":
        return next((job for job in jobs if name[1:] in job.text), None)
    return next((job for job in jobs if job.text.startswith(name)), None)


def find_jobs(sh: Call, state: State, texts: tuple[str, ...]) -> list[ShellJob]:
    """Return the jobs that are named; warn about those that do not exist."""
    jobs = []
    for text in texts:
        job = find_job(state, text)
        if job is None:
            sh.warn(f"{text}: no such job")
        else:
            jobs.append(job)
    return jobs


def jobs_or_current(sh: Call, state: State, texts: tuple[str, ...]) -> list[ShellJob]:
    """Return the jobs that are named; without names the current job."""
    if texts:
        return find_jobs(sh, state, texts)
    job = find_job(state, "%+")
    if job is None:
        raise sh.fail("current: no such job")
    return [job]
