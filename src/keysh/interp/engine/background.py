"""Background jobs: each runs in a fork of the state, on a thread or in a process of its own.

A thread is all that an embedded shell can offer, and its jobs end with it. A job of the program
`keysh` outlives the program, as in sh, so it is forked off the machine's way when it begins:

    keysh ──fork()──► the job: its state, SIGINT and SIGQUIT ignored, no input
      │                 │ standard output and error: the program's own, and a record in memory
      │ ◄── channel ────┘ the pid of its program; end of file when it ends
      └─► wait, kill, jobs look at the channel and at waitpid

Nothing in memory is shared any more, so this needs files of the machine, and streams that are open
files. Another job, in `$(…)` or beside a running program, stays a thread. docs/internals/jobs.md.
"""

from __future__ import annotations

import os
from _signal import (  # type: ignore[import-not-found]  # `signal` makes enumerations of these
    SIG_BLOCK,
    SIG_SETMASK,
    pthread_sigmask,
    valid_signals,
)
from _thread import get_ident
from functools import partial

from keysh.interp.engine.endings import run_to_end
from keysh.interp.engine.pipeline import run_subshell
from keysh.interp.engine.thread_handoff import run_registered, start_thread
from keysh.interp.run.control_flow import (
    STATUS_OVER_LIMIT,
    LimitReached,
    ReaderGone,
    Refused,
)
from keysh.interp.streams.descriptors import (
    CLOSED_WRITER,
    DISCARD_WRITER,
    NO_INPUT,
    hold_streams,
    release_streams,
)
from keysh.interp.streams.job_output import JobWriter, list_record
from keysh.vfs.synthetic.job_files import JobsFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.jobs.jobs import ShellJob
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.interp.streams.descriptors import Descriptor
    from keysh.interp.streams.streams import Writer

JOBS_MOUNT_POINT = "/v/jobs"


def start_job(
    state: State,
    body: Body,
    text: str,
    *,
    is_program: bool = False,
    has_more: bool = False,
    shares_memory: bool = False,
) -> ShellJob:
    """Run a body in the background.

    `is_program`: the job is one real program, or with `has_more` a pipeline that ends in one.
    `shares_memory`: the body changes objects of its caller, so it cannot be another process.
    """
    child = state.fork_concurrent()
    inherited = list(child.descriptors.values())
    hold_streams(child, inherited)  # here, since the shell may close its own before the job runs
    child.budget = state.budget.for_job()
    try:
        job = new_job(state, child, text)
    except BaseException:
        release_streams(child, inherited)
        raise
    jobs = state.session.jobs
    job.parent, job.target, job.fork = jobs.shell_pid_of(state), state.out, child
    child.pid = job.pid
    job.has_more = has_more
    if is_program:
        job.waiting = child
    perform: Callable[[], int] = partial(run_job, child, job, body)
    if state.session.trail is not None:
        perform = state.session.trail.span_work(child, "job", {"number": job.number}, perform)
    if not shares_memory and can_be_process(state):
        start_process(child, job, perform)
        release_streams(child, inherited)  # the process has its own
        return job
    child.set_streams(
        NO_INPUT,
        JobWriter(job, list_record(job.output), state.out),
        JobWriter(job, list_record(job.errors), state.err),
    )
    session = state.session

    def run() -> None:
        status = STATUS_OVER_LIMIT
        try:
            status = run_registered(session, child, perform)
        except BaseException as error:  # noqa: BLE001 - there is nobody above
            session.error = error if session.error is None else session.error
        finally:
            end_job(child, job, inherited, status)

    try:
        start_thread(run)
    except BaseException:
        end_job(child, job, inherited, STATUS_OVER_LIMIT)
        raise
    return job


def new_job(state: State, child: State, text: str) -> ShellJob:
    """Enter a job into the table of its shell; raise LimitReached if that may have no more."""
    session = state.session
    fs, jobs = session.fs, session.jobs
    if JOBS_MOUNT_POINT not in fs.mounts:
        fs.mount(JOBS_MOUNT_POINT, JobsFS(lambda: jobs.jobs))
    run = jobs.run_of(state.budget) or session.runs
    job = jobs.add(text, child.budget, run, session.limits.jobs)
    if session.is_closed:  # which looks for jobs to end after it has said so
        jobs.remove(job)
        raise LimitReached("jobs", "the shell is closed", None)
    return job


def end_job(child: State, job: ShellJob, inherited: list[Descriptor], status: int) -> None:
    """Let a job end: its streams, its share of the limits, and whoever waits for it."""
    try:
        close_job_streams(child, inherited)
        child.budget.leave()
    finally:
        job.end(status)


def run_job(child: State, job: ShellJob, body: Body) -> int:
    """Run the body of a job to its end and return its status."""
    try:
        ending = run_to_end(child, lambda child: run_subshell(child, body))
        if isinstance(ending.jump, Refused):
            job.refusal = ending.jump
        if ending.limit is not None and ending.limit.kind != "cancelled":
            report_limit(child, ending.limit)
    except LimitReached as reached:  # in the EXIT trap of a job that a signal ended
        report_limit(child, reached)
        return reached.status
    return ending.status


# ---------------------------------------------------------------- in a process


def can_be_process(state: State) -> bool:
    """Whether a job can run in a process: what it reads and writes is not in this one's memory.

    A process that begins beside a running program would keep the ends of its pipes open.
    """
    session = state.session
    if session.begin_job_process is None or session.substitutions:
        return False
    if session.opened_programs is not None and session.opened_programs.has_running:
        return False
    return all(
        (one.writer is None or target_fd(one.writer) >= 0 or one.writer in NOWHERE)
        and (one.reader is None or number == 0 or hasattr(one.reader, "fd"))
        for number, one in state.descriptors.items()
    )


NOWHERE = (CLOSED_WRITER, DISCARD_WRITER)


def target_fd(writer: Writer) -> int:
    """Return the descriptor that a writer writes to in the end; -1 if it is no open file."""
    return writer.target.fd if isinstance(writer, JobWriter) else writer.fd


def start_process(child: State, job: ShellJob, perform: Callable[[], int]) -> None:
    """Run a job in a new process."""
    from keysh.interp.jobs.job_process import JobProcess, file_record, open_record  # noqa: PLC0415 - only the program forks

    output, errors = open_record(), open_record()
    out = JobWriter(job, file_record(output), child.out)
    err = JobWriter(job, file_record(errors), child.err)
    reading, writing = os.pipe()
    trail = child.session.trail
    if trail is not None:
        trail.share()
    before = pthread_sigmask(SIG_BLOCK, valid_signals())  # until the process has its own handlers
    pid = -1
    try:
        pid = os.fork()
        if not pid:
            child.set_streams(NO_INPUT, out, err)
            os.close(reading)
            job.channel = writing
            enter_process(child, job)
            if trail is not None:
                trail.enter_process()
            pthread_sigmask(SIG_SETMASK, before)
            status = perform()
            if trail is not None:
                trail.close()
            os._exit(status)
    except OSError as error:
        os.close(reading)
        raise LimitReached("processes", str(error.strerror), None) from None
    finally:
        if not pid:
            os._exit(STATUS_OVER_LIMIT)
        pthread_sigmask(SIG_SETMASK, before)
        os.close(writing)
    if child.session.opened_programs is not None:
        child.session.opened_programs.note_fork()
    job.pid, job.fork, job.process = pid, None, JobProcess(pid, reading, output, errors)


def enter_process(child: State, job: ShellJob) -> None:
    """Make the state of a job the shell of this process."""
    session = child.session
    session.jobs.enter_process(job)
    session.threads.clear()
    session.threads[get_ident()] = child
    child.parent, child.pid = None, os.getpid()
    assert session.begin_job_process is not None
    session.begin_job_process(child)
    session.watch(child.budget)


# ---------------------------------------------------------------- streams


def close_job_streams(child: State, inherited: list[Descriptor]) -> None:
    """Drop the descriptors of a job that has ended; jobs that it started keep their copies."""
    release_streams(child, [*inherited, *child.descriptors.values()])
    child.set_streams(NO_INPUT, CLOSED_WRITER, DISCARD_WRITER)
    child.descriptors = {}


def report_limit(child: State, limit: LimitReached) -> None:
    """Report the limit that ended a job, unless that was the output limit."""
    if child.session.trail is not None:
        child.session.trail.limit(child, limit)
    try:  # noqa: SIM105 - contextlib is slow to load
        child.err.write(f"keysh: {limit.message}\n")
    except (LimitReached, ReaderGone):
        pass  # it was the limit of the output
