"""undo - take back the last runs."""

from __future__ import annotations

from keysh.interp.builtin_operations.run_history import go, history_of
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def undo(sh: Call, number: int = 1) -> str:
    """Take back what the last runs did to files and to the shell.

    number  how many runs; those that changed nothing do not count

    At a prompt a run is a line. Files, variables, functions, options, the directory
    and so on are then as they were. If somebody else has changed a file since,
    nothing is changed at all. `redo` repeats what was taken back last.
    """
    return go(sh, "undone", number, history_of(sh).undo)
