"""Events: the host learns of each program that a script asks for: the decision, and the end.

    {"event": "program", "allowed": true, "started": true, "rule": "", "reason": "", …, "pid": 71}
    {"event": "ended", "pid": 71, "code": 0, "signal": null, …}

Each attempt causes one of the first kind, each program that started one of the second.
"""

from __future__ import annotations

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
    session = state.session
    if session.on_event is None and session.trail is None:
        return
    facts: dict[str, object] = {
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
        facts |= {
            "confined": process.launched.is_confined,
            "unenforced": list(process.launched.unenforced),
        }
    if session.trail is not None:
        session.trail.program(state, dict(facts))
    if session.on_event is not None:
        time = session.clock() / NANOSECONDS_PER_SECOND
        session.on_event({"event": "program", "time": time, **facts})


def report_end(state: State, process: Process, code: int) -> None:
    """Report the end of a program; `code` is the status that the script sees."""
    session = state.session
    if session.on_event is None and session.trail is None:
        return
    result = process.result or process.result_so_far()
    facts: dict[str, object] = {
        "pid": result.pid,
        "path": result.path,
        "code": code,
        "signal": result.signal,
        "stop": result.stop,
        "limit": result.limit,
        "survivors": result.survivors,
        "duration_ms": round(result.duration_ms, 3),
    }
    if session.trail is not None:
        session.trail.program_end(state, facts)
    if session.on_event is not None:
        time = session.clock() / NANOSECONDS_PER_SECOND
        session.on_event({"event": "ended", "time": time, **facts})
