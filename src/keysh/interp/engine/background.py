"""Background jobs: each runs in a fork of the state, on its own thread."""

from __future__ import annotations

from keysh.interp.engine.endings import run_to_end
from keysh.interp.engine.pipeline import run_subshell
from keysh.interp.engine.thread_handoff import run_registered, start_thread
from keysh.interp.run.control_flow import (
    STATUS_OVER_LIMIT,
    LimitReached,
    ReaderGone,
)
from keysh.interp.run.limits import Budget
from keysh.interp.streams.descriptors import CLOSED_WRITER, DISCARD_WRITER, NO_INPUT
from keysh.interp.streams.streams import Writer
from keysh.vfs.job_files import JobsFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State

JOBS_MOUNT_POINT = "/v/jobs"
MAX_JOB_OUTPUT_CHARS = 1 << 20  # the newest output of a job, shown in /v/jobs


def start_job(
    state: State, body: Body, text: str, *, is_program: bool = False, has_more: bool = False
) -> ShellJob:
    """Run a body in the background.

    `is_program`: the job is one real program, or with `has_more` a pipeline that ends in one.
    """
    child = state.fork_concurrent()
    child.budget = Budget(state.session.limits)
    fs, jobs = state.session.fs, state.session.jobs
    if JOBS_MOUNT_POINT not in fs.mounts:
        fs.mount(JOBS_MOUNT_POINT, JobsFS(lambda: jobs.jobs))
    job = jobs.add(text, child.budget, state.session.runs, state.session.limits.jobs)
    job.parent, job.target, job.fork = jobs.shell_pid_of(state), state.out, child
    child.pid = job.pid
    job.has_more = has_more
    if is_program:
        job.waiting = child
    child.set_streams(
        NO_INPUT, recording_writer(job.output, state.out), recording_writer(job.errors, state.err)
    )

    session = state.session

    def run() -> None:
        status = STATUS_OVER_LIMIT
        try:
            ending = run_registered(
                session, child, lambda: run_to_end(child, lambda child: run_subshell(child, body))
            )
            status = ending.status
            if ending.limit is not None and ending.limit.kind != "cancelled":
                report_limit(child, ending.limit)
        except LimitReached as limit:  # in the EXIT trap of a job that a signal ended
            status = limit.status
            report_limit(child, limit)
        finally:
            close_job_streams(child)
            job.end(status)

    start_thread(run)
    return job


def close_job_streams(child: State) -> None:
    """Drop the descriptors of a job that has ended; jobs that it started keep their copies."""
    child.set_streams(NO_INPUT, CLOSED_WRITER, DISCARD_WRITER)
    child.descriptors = {}


def report_limit(child: State, limit: LimitReached) -> None:
    """Report the limit that ended a job, unless that was the output limit."""
    try:  # noqa: SIM105 - contextlib is slow to load
        child.err.write(f"keysh: {limit.message}\n")
    except (LimitReached, ReaderGone):
        pass  # it was the limit of the output


def recording_writer(texts: list[str], writer: Writer) -> Writer:
    """Return a writer that passes text on to `writer` and records the newest part in `texts`."""
    size = 0

    def put(text: str) -> None:
        nonlocal size
        texts.append(text)
        size += len(text)
        while size > MAX_JOB_OUTPUT_CHARS and len(texts) > 1:
            size -= len(texts.pop(0))
        writer.put(text)

    return Writer(put)
