"""undo - take back the last runs."""

from __future__ import annotations

from keysh.interp.builtin_operations.run_history import go, history_of
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def undo(sh: Call, number: int = 1, *, partial: bool = False) -> str:
    """Take back what the last runs did to files and to the shell.

    number         how many runs; those that changed nothing do not count
    -p, --partial  take back what is known of a run that may have changed more

    At a prompt a run is a line. Files, variables, functions, options, the directory
    and so on are then as they were. If somebody else has changed a file since,
    nothing is changed at all. `redo` repeats what was taken back last.
    """
    history = history_of(sh)
    return go(sh, "undone", number, lambda count: history.undo(count, is_partial=partial))
