"""Events: the host learns of each program that a script asks for: the decision, and the end.

    {"event": "program", "allowed": true, "started": true, "rule": "", "reason": "", …, "pid": 71}
    {"event": "ended", "pid": 71, "code": 0, "signal": null, …}

Each attempt causes one of the first kind, each program that started one of the second.
"""

from __future__ import annotations

import os
from json import dumps

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.external.request import ProgramRequest
    from keysh.interp.state.state import State
    from keysh.process.process import Process
    from keysh.process.result import NotStarted


NANOSECONDS_PER_SECOND = 1_000_000_000


def report_decision(
    state: State, request: ProgramRequest, process: Process | None, error: NotStarted | None = None
) -> None:
    """Report that a program runs, was refused, or could not be started."""
    on_event = state.session.on_event
    if on_event is None:
        return
    confinement = {}
    if process is not None and (process.launched.is_confined or process.launched.unenforced):
        confinement = {
            "confined": process.launched.is_confined,
            "unenforced": list(process.launched.unenforced),
        }
    on_event(
        {
            "event": "program",
            "time": state.session.clock() / NANOSECONDS_PER_SECOND,
            "allowed": error is None or error.kind != "refused",
            "started": process is not None,
            "rule": "" if error is None else error.rule,
            "reason": "" if error is None else error.reason,
            "path": str(request.path) if process is None else process.path,
            "argv": list(request.words),
            "cwd": request.cwd or state.cwd,
            "pid": 0 if process is None else process.pid,
            **confinement,
        }
    )


def report_end(state: State, process: Process, code: int) -> None:
    """Report the end of a program; `code` is the status that the script sees."""
    on_event = state.session.on_event
    if on_event is None:
        return
    result = process.result or process.result_so_far()
    on_event(
        {
            "event": "ended",
            "time": state.session.clock() / NANOSECONDS_PER_SECOND,
            "pid": result.pid,
            "path": result.path,
            "code": code,
            "signal": result.signal,
            "stop": result.stop,
            "limit": result.limit,
            "survivors": result.survivors,
            "duration_ms": round(result.duration_ms, 3),
        }
    )


class AuditFile:
    """Append each event as a line of JSON to a file, for `Shell(on_event=…)`.

    A new file is readable by its owner only. A line is written at once, in one call if the system
    takes all of it, so that several shells can share a file. An OSError ends the program.
    """

    __slots__ = ("_fd", "_path")

    def __init__(self, path: str) -> None:
        self._path = path
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)

    def __call__(self, event: dict[str, object]) -> None:
        data = dumps(event).encode() + b"\n"
        try:
            while data:
                data = data[os.write(self._fd, data) :]
        except OSError as error:
            error.filename = self._path
            raise

    def close(self) -> None:
        """Close the file; later events are an error."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
