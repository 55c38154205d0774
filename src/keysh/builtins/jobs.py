"""jobs - list background jobs."""

from __future__ import annotations

from keysh.interp.jobs.names import find_jobs, job_marks, named_jobs
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2), ignored="-n, --new")
def jobs(
    sh: Call,
    *names: str,
    long: bool = False,
    pids: bool = False,
    running: bool = False,
    stopped: bool = False,
    json: bool = False,
) -> Iterator[str | dict[str, Any]]:
    """List background jobs.

    names ...      the jobs, such as %1 or %text (default: all that have not ended)
    -l, --long     include process numbers
    -p, --pids     print process numbers only
    -r, --running  list running jobs only
    -s, --stopped  list stopped jobs only
    --json         print JSON lines: number, pid, state, status, command
    """
    state = state_of(sh)
    # As in scripts run by bash, a job that has ended is listed only by name.
    selected = find_jobs(sh, state, names) if names else [
        job for job in named_jobs(state) if job.status is None
    ]  # fmt: skip
    signs, table = job_marks(state), state.session.jobs
    for job in selected:
        if (stopped and not job.is_stopped) or (running and job.state != "Running"):
            continue
        if json:
            row = {"number": job.number, "pid": table.visible_pid(job, state)}
            yield {**row, "state": job.state.split()[0].lower(),
                   "status": job.status, "command": job.text}  # fmt: skip
        elif pids:
            yield f"{table.visible_pid(job, state)}\n"
        else:
            pid = str(table.visible_pid(job, state)) if long else ""
            yield job_line(job, signs.get(job.number, " "), pid)


def job_line(job: ShellJob, sign: str, pid: str) -> str:
    """Return the line for a job."""
    end = " &" if job.state == "Running" else ""
    return f"[{job.number}]{sign} {pid} {job.state:<23} {job.text}{end}\n"
