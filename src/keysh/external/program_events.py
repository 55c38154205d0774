"""Program events: what the host's readers of events learn of each program that a script asks for.

Each attempt is a `program`, and each program that has started has an `end`.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.external.request import ProgramRequest
    from keysh.interp.state.state import State
    from keysh.process.process import Process
    from keysh.process.result import NotStarted


def report_decision(
    state: State, request: ProgramRequest, process: Process | None, error: NotStarted | None = None
) -> None:
    """Report that a program runs, was refused, or could not be started."""
    session = state.session
    if process is not None and session.note_program is not None:
        session.note_program(process.path, process.pid)
    if session.trail is None:
        return
    fields: dict[str, object] = {
        "allowed": error is None or error.kind != "refused",
        "started": process is not None,
        "rule": "" if error is None else error.rule,
        "reason": "" if error is None else error.reason,
        "path": str(request.path) if process is None else process.path,
        "argv": list(request.words),
        "cwd": request.cwd or state.cwd,
        "pid": 0 if process is None else process.pid,
    }
    if process is not None and (process.launched.is_confined or process.launched.unenforced):
        fields |= {
            "confined": process.launched.is_confined,
            "unenforced": list(process.launched.unenforced),
        }
    session.trail.program(state, fields)


def report_end(state: State, process: Process, code: int) -> None:
    """Report the end of a program; `code` is the status that the script sees."""
    if (trail := state.session.trail) is None:
        return
    result = process.result or process.result_so_far()
    trail.program_end(state, {
        "pid": result.pid, "path": result.path, "status": code, "signal": result.signal,
        "stop": result.stop, "limit": result.limit, "survivors": result.survivors,
        "ms": round(result.duration_ms, 3),
    })  # fmt: skip
