"""Background: a job runs in a fork of the state, on a thread of its own."""

from __future__ import annotations

from keysh.interp.engine.pipeline import run_subshell
from keysh.interp.engine.signal_delivery import run_last_trap
from keysh.interp.engine.strand import run_registered, start_thread
from keysh.interp.run.control_flow import (
    STATUS_OVER_LIMIT,
    STATUS_READER_GONE,
    LimitReached,
    ReaderGone,
)
from keysh.interp.run.limits import Budget
from keysh.interp.streams.descriptors import CLOSED_WRITER, DISCARD_WRITER, NO_INPUT
from keysh.interp.streams.streams import Writer
from keysh.vfs.jobs import JobsFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State

JOBS_MOUNT_POINT = "/v/jobs"
MAX_JOB_OUTPUT_CHARS = 1 << 20  # characters of a job's output that are kept, the newest


def start_job(
    state: State, body: Body, text: str, *, is_program: bool = False, has_more: bool = False
) -> ShellJob:
    """Run a body in the background.

    It may be known to be a real program, or, where it `has_more`, a pipeline that ends in one.
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
            status = run_registered(session, child, lambda: run_job_body(child, body))
        except LimitReached as stopped:
            status = stopped.status
            report_limit(child, stopped)
        except ReaderGone:
            status = STATUS_READER_GONE
        except RecursionError:
            status = STATUS_OVER_LIMIT
        except Exception as error:  # noqa: BLE001 - what a host's objects raise is for the host
            session.error = error
            status = 1
        finally:
            close_job_streams(child)
            job.end(status)

    start_thread(run)
    return job


def run_job_body(child: State, body: Body) -> int:
    """Run the body of a job; if a signal ends it, its EXIT trap runs all the same."""
    try:
        return run_subshell(child, body)
    except LimitReached as stopped:
        if stopped.kind != "cancelled":
            raise
        return run_last_trap(child, stopped.status)


def close_job_streams(child: State) -> None:
    """What `exec` has opened in a job that has ended is closed, but for what its own jobs have."""
    child.set_streams(NO_INPUT, CLOSED_WRITER, DISCARD_WRITER)
    child.descriptors = {}


def report_limit(child: State, stopped: LimitReached) -> None:
    """Say which limit has ended a job, if there is room to say it."""
    try:  # noqa: SIM105 - contextlib is slow to load
        child.err.write(f"keysh: {stopped.message}\n")
    except (LimitReached, ReaderGone):
        pass  # it was the limit of the output


def recording_writer(texts: list[str], writer: Writer) -> Writer:
    """A writer that keeps the newest of what goes on to another one."""
    size = 0

    def put(text: str) -> None:
        nonlocal size
        texts.append(text)
        size += len(text)
        while size > MAX_JOB_OUTPUT_CHARS and len(texts) > 1:
            size -= len(texts.pop(0))
        writer.put(text)

    return Writer(put)
