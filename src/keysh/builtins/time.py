"""time - measure how long a command takes."""

from __future__ import annotations

from keysh.interp.builtin_operations.time_report import timed_body
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import OptionStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(refusals=Refusals(usage_status=2), style=OptionStyle(binds_by_key=False))
def time(sh: Call, *words: Raw, portable: bool = False) -> int:
    """Run a command and print its duration on standard error.

    words ...       the command
    -p, --portable  use the format of POSIX, in seconds
    """
    body = timed_body(
        lambda state: sh.run(words) if words else 0, "time -p" if portable else "time"
    )
    return body(state_of(sh))
