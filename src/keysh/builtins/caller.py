"""caller - show the call site of the current function."""

from __future__ import annotations

from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2))
def caller(sh: Call, level: int | None = None) -> str:
    """Print the line and file of the call of the current function.

    level  also print the name of the caller; 0 is the direct caller, 1 its caller
    """
    state = state_of(sh)
    frames = state.frames
    if (
        not frames
        and level is None
        and state.dialect.is_lenient
        and state.source_name in state.session.script_files
    ):
        return "0 NULL\n"
    depth = level or 0
    if not 0 <= depth < len(frames):
        sh.status = 1
        return ""
    frame = frames[-1 - depth]
    outer = frames[-2 - depth] if depth + 1 < len(frames) else None
    file = state.name if outer is None else outer.source
    if level is None:
        return f"{frame.line} {file}\n"
    return f"{frame.line} {'main' if outer is None else outer.name} {file}\n"
