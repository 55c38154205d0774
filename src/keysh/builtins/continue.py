"""continue - begin the next turn of a loop."""
# ruff: noqa: N999 - the file is named as the command is

from __future__ import annotations

from keysh.interp.builtins.loop_exit import leave_loops
from keysh.interp.builtins.number_operand import Number
from keysh.interp.run.control_flow import Continue
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def continue_(sh: Call, count: Number = "1") -> None:
    """Begin the next turn of the loop that runs.

    count  of which loop, the innermost being 1
    """
    leave_loops(sh, count, Continue)
