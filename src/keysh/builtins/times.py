"""times - print processor times."""

from __future__ import annotations

from time import process_time

from keysh.interp.builtin_operations.time_report import format_minutes
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def times(sh: Call) -> str:
    """Print the processor time of the shell; that of its programs is not counted."""
    nothing = format_minutes(0)
    return f"{format_minutes(process_time())} {nothing}\n{nothing} {nothing}\n"
