"""jobs - what runs in the background."""

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


@command(refusals=Refusals(usage_status=2))
def jobs(
    sh: Call,
    *names: str,
    long: bool = False,
    new: bool = False,
    pids: bool = False,
    running: bool = False,
    stopped: bool = False,
    json: bool = False,
) -> Iterator[str | dict[str, Any]]:
    """List the jobs that run in the background.

    names ...      which ones: %1, %text; those that run without any
    -l, --long     with their process numbers
    -n, --new      ignored
    -p, --pids     only their process numbers
    -r, --running  only those that run
    -s, --stopped  only those that are stopped, of which there are none
    --json         rows as JSON lines: number, pid, state, status, command
    """
    state = state_of(sh)
    # A job that has ended is listed only where it is asked for, as in bash's scripts.
    found = find_jobs(sh, state, names) if names else [
        job for job in named_jobs(state) if job.status is None
    ]  # fmt: skip
    signs, table = job_marks(state), state.session.jobs
    for job in found:
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
    """A job as it is listed."""
    end = " &" if job.state == "Running" else ""
    return f"[{job.number}]{sign} {pid} {job.state:<23} {job.text}{end}\n"
