"""redo - repeat what `undo` has taken back."""

from __future__ import annotations

from keysh.interp.builtin_operations.run_history import go, history_of
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def redo(sh: Call, number: int = 1) -> str:
    """Repeat the effects of the runs that `undo` has taken back last.

    number  how many runs; those that changed nothing do not count

    The commands do not run again: files and the shell become what they were after
    them. After a run that changes something there is nothing to repeat.
    """
    return go(sh, "redone", number, history_of(sh).redo)
