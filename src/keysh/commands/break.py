"""break - leave a loop."""
# ruff: noqa: N999 - the file is named as the command is

from __future__ import annotations

from keysh.runtime.given_number import Number
from keysh.runtime.leaving_loops import leave_loops
from keysh.runtime.signals import Break
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call


@command
def break_(sh: Call, count: Number = "1") -> None:
    """Leave the loop that runs.

    count  how many loops to leave, where they are inside each other
    """
    leave_loops(sh, count, Break)
