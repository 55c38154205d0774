"""continue - start the next iteration of a loop."""
# ruff: noqa: N999 - the file is named as the command is

from __future__ import annotations

from keysh.interp.builtin_operations.loop_exit import leave_loops
from keysh.interp.builtin_operations.number_operand import Number
from keysh.interp.run.control_flow import Continue
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(extra_operand_error="too many arguments"))
def continue_(sh: Call, count: Number = "1") -> None:
    """Start the next iteration of the enclosing loop.

    count  which of the nested loops to continue; 1 is the innermost
    """
    leave_loops(sh, count, Continue)
