"""break - exit a loop."""
# ruff: noqa: N999 - the file is named as the command is

from __future__ import annotations

from keysh.interp.builtin_operations.loop_exit import leave_loops
from keysh.interp.builtin_operations.number_operand import Number
from keysh.interp.run.control_flow import Break
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(extra_operand_error="too many arguments"))
def break_(sh: Call, count: Number = "1") -> None:
    """Exit the enclosing loop.

    count  number of nested loops to exit
    """
    leave_loops(sh, count, Break)
