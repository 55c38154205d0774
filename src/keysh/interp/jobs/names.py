"""Job names: which job `%1`, `%%`, `%-`, `%text` or a process number means."""

from __future__ import annotations

from keysh.text.shell_numbers import is_digits, known_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.jobs.jobs import Job
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State

CURRENT, PREVIOUS = ("%", "%%", "%+"), "%-"


def known(state: State) -> list[Job]:
    """The jobs that can be named, by their numbers."""
    jobs = state.session.jobs.jobs
    return [jobs[number] for number in sorted(jobs) if not jobs[number].is_disowned]


def marks(state: State) -> dict[int, str]:
    """What `jobs` puts behind the numbers of the current job and the one before it."""
    running = [job.number for job in known(state) if job.status is None]
    numbers = running or [job.number for job in known(state)]
    return dict(zip(reversed(numbers[-2:]), "+-", strict=False))


def job_of(state: State, text: str) -> Job | None:
    """The job that a text means; None where there is none."""
    jobs = known(state)
    if is_digits(text):
        # The newest, for the system gives a program's number to another one when it has ended.
        pid = known_number(text)
        return next((job for job in reversed(jobs) if job.is_known_as(pid)), None)
    name = text[1:]
    if text in CURRENT or text == PREVIOUS:
        mark = "-" if text == PREVIOUS else "+"
        number = next((at for at, found in marks(state).items() if found == mark), None)
        return next((job for job in jobs if job.number == number), None)
    if text[:1] != "%":
        return None
    if is_digits(name):
        return next((job for job in jobs if job.number == known_number(name)), None)
    if name[:1] == "?":
        return next((job for job in jobs if name[1:] in job.text), None)
    return next((job for job in jobs if job.text.startswith(name)), None)


def jobs_of(sh: Call, state: State, texts: tuple[str, ...]) -> list[Job]:
    """The jobs that texts mean; one that means none is warned of."""
    found = []
    for text in texts:
        job = job_of(state, text)
        if job is None:
            sh.warn(f"{text}: no such job")
        else:
            found.append(job)
    return found


def current(sh: Call, state: State, texts: tuple[str, ...]) -> list[Job]:
    """The jobs that texts mean, the current one without any."""
    if texts:
        return jobs_of(sh, state, texts)
    job = job_of(state, "%+")
    if job is None:
        raise sh.fail("current: no such job")
    return [job]
