"""caller - from where the function that runs was called."""

from __future__ import annotations

from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2))
def caller(sh: Call, level: int | None = None) -> str:
    """Print the line and file from which the function that runs was called.

    level  with the calling function's name; 0 is who called this one, 1 who called that one
    """
    state = state_of(sh)
    frames = state.frames
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
