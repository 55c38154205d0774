"""ps - what this shell runs."""

from __future__ import annotations

from keysh.runtime.own import state_of
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.runtime.call import Call


@command(usage=1)
def ps(
    sh: Call,
    *words: str,
    all: bool = False,
    everything: bool = False,
    full: bool = False,
    json: bool = False,
) -> Iterator[str | dict[str, Any]]:
    """List what this shell runs: itself, and its jobs. Processes of the host are not seen.

    words ...         ignored
    -A, --all         ignored
    -e, --everything  ignored
    -f, --full        ignored
    --json            rows as JSON lines: pid, command
    """
    state = state_of(sh)
    jobs = state.session.jobs
    rows = [(jobs.shell_pid, state.name)]
    rows += [(jobs.process_of(job, state), job.text) for job in jobs.running()]
    if not json:
        yield "    PID TTY          TIME CMD\n"
    for pid, text in rows:
        yield {"pid": pid, "command": text} if json else f"{pid:7} ?        00:00:00 {text}\n"
