"""times - the time that the shell has worked."""

from __future__ import annotations

from time import process_time

from keysh.interp.engine.time_report import format_minutes
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def times(sh: Call) -> str:
    """Print the time that the shell has worked, and that its programs have."""
    nothing = format_minutes(0)
    return f"{format_minutes(process_time())} {nothing}\n{nothing} {nothing}\n"
