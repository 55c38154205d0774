"""Background: a job runs in a fork of the state, on a thread of its own."""

from __future__ import annotations

from keysh.interp.engine.pipeline import subshell
from keysh.interp.engine.signal_delivery import run_last_trap
from keysh.interp.engine.strand import start, within
from keysh.interp.run.control_flow import OVER_LIMIT, READER_GONE, Gone, Stopped
from keysh.interp.run.limits import Budget
from keysh.interp.streams.descriptors import CLOSED, NOTHING, UNHEARD
from keysh.interp.streams.streams import Writer
from keysh.vfs.jobs import JobsFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.jobs.jobs import Job
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State

PLACE = "/v/jobs"
MOST_KEPT = 1 << 20  # characters of a job's output that are kept, the newest


def start_job(
    state: State, body: Body, text: str, *, is_program: bool = False, has_more: bool = False
) -> Job:
    """Run a body in the background.

    It may be known to be a real program, or, where it `has_more`, a pipeline that ends in one.
    """
    child = state.fork_beside()
    child.budget = Budget(state.session.limits)
    fs, jobs = state.session.fs, state.session.jobs
    if PLACE not in fs.mounts:
        fs.mount(PLACE, JobsFS(lambda: jobs.jobs))
    job = jobs.add(text, child.budget, state.session.runs, state.session.limits.jobs)
    job.parent, job.target, job.fork = jobs.number_of(state), state.out, child
    child.pid = job.pid
    job.has_more = has_more
    if is_program:
        job.waiting = child
    child.set_streams(NOTHING, kept(job.output, state.out), kept(job.errors, state.err))

    session = state.session

    def run() -> None:
        status = OVER_LIMIT
        try:
            status = within(session, child, lambda: lived(child, body))
        except Stopped as stopped:
            status = stopped.status
            tell(child, stopped)
        except Gone:
            status = READER_GONE
        except RecursionError:
            status = OVER_LIMIT
        except Exception as error:  # noqa: BLE001 - what a host's objects raise is for the host
            session.error = error
            status = 1
        finally:
            let_go(child)
            job.ended(status)

    start(run)
    return job


def lived(child: State, body: Body) -> int:
    """Run the body of a job; if a signal ends it, its EXIT trap runs all the same."""
    try:
        return subshell(child, body)
    except Stopped as stopped:
        if stopped.kind != "cancelled":
            raise
        return run_last_trap(child, stopped.status)


def let_go(child: State) -> None:
    """What `exec` has opened in a job that has ended is closed, but for what its own jobs have."""
    child.set_streams(NOTHING, CLOSED, UNHEARD)
    child.descriptors = {}


def tell(child: State, stopped: Stopped) -> None:
    """Say which limit has ended a job, if there is room to say it."""
    try:  # noqa: SIM105 - contextlib is slow to load
        child.err.write(f"keysh: {stopped.message}\n")
    except (Stopped, Gone):
        pass  # it was the limit of the output


def kept(texts: list[str], writer: Writer) -> Writer:
    """A writer that keeps the newest of what goes on to another one."""
    size = 0

    def put(text: str) -> None:
        nonlocal size
        texts.append(text)
        size += len(text)
        while size > MOST_KEPT and len(texts) > 1:
            size -= len(texts.pop(0))
        writer.put(text)

    return Writer(put)
