"""Real processes: start, feed, read, limit and kill them, down to the last descendant.

    ProcessSpec -> resolve, policy -> launch -> Process, attended by a PollLoop -> ProcessResult

Entry: `run`, `start`, `arun`; `keeper.Keeper` for processes in the background, whose thread is the
only one that is ever started here. Called by external/ and by hosts, to whom it is documented in
docs/processes.md. It knows no shell, and reads no environment of its own. A name is imported when
it is first used: a worker that only confines itself starts no process.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.process.policy import Policy as Policy
    from keysh.process.process_run import arun as arun
    from keysh.process.process_run import run as run
    from keysh.process.process_run import start as start
    from keysh.process.result import NotStarted as NotStarted
    from keysh.process.result import ProcessResult as ProcessResult
    from keysh.process.spec import CAPTURE as CAPTURE
    from keysh.process.spec import DISCARD as DISCARD
    from keysh.process.spec import MERGE as MERGE
    from keysh.process.spec import OPEN as OPEN
    from keysh.process.spec import PRIVATE as PRIVATE
    from keysh.process.spec import STREAM as STREAM
    from keysh.process.spec import ProcessSpec as ProcessSpec
    from keysh.process.wakeup import Flag as Flag

# Where each name is; a test holds this against the imports above.
HOMES = {
    "CAPTURE": "spec", "DISCARD": "spec", "Flag": "wakeup", "MERGE": "spec",
    "NotStarted": "result", "OPEN": "spec", "PRIVATE": "spec", "Policy": "policy",
    "ProcessResult": "result", "ProcessSpec": "spec", "STREAM": "spec", "arun": "process_run",
    "run": "process_run", "start": "process_run",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    home = HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'keysh.process' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415 - when the first name is asked for

    found = getattr(import_module(f"keysh.process.{home}"), name)
    globals()[name] = found
    return found
