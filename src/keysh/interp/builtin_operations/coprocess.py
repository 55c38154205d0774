"""Coprocesses: a background job that the shell writes to and reads from, as `coproc` starts it."""

from __future__ import annotations

from keysh.interp.engine.background import start_job
from keysh.interp.engine.process_substitution import register_descriptor
from keysh.interp.streams.descriptors import Descriptor
from keysh.interp.streams.job_pipe import JobPipe
from keysh.interp.streams.streams import Reader, Writer
from keysh.values import ShellList

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State


def start_coprocess(state: State, name: str, body: Body, text: str) -> None:
    """Run a body in the background; `NAME` gets its two descriptors and `NAME_PID` its number.

    `${NAME[0]}` reads what the body prints, and `${NAME[1]}` writes what it reads. Its input ends
    when the shell closes that descriptor, and with the run of the host at the latest.
    """
    to_body, from_body = JobPipe(), JobPipe()

    def run(child: State) -> int:
        child.set_streams(
            Reader(to_body.chunks(child)),
            Writer(lambda text: from_body.put(text, child)),
            child.err,
        )
        try:
            return body(child)
        finally:
            from_body.close()
            to_body.close()

    job = start_job(state, run, text, shares_memory=True)
    state.background_job = job
    reading = Descriptor(reader=Reader(from_body.chunks(state)))
    writing = Descriptor(writer=Writer(lambda text: to_body.put(text, state)))
    numbers = [
        int(register_descriptor(state, descriptor, pipe.close).rpartition("/")[2])
        for descriptor, pipe in ((reading, from_body), (writing, to_body))
    ]
    state.assign(name, ShellList(numbers))
    state.assign(f"{name}_PID", state.session.jobs.visible_pid(job, state))
