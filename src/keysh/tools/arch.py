"""arch - the kind of machine."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command
def arch(sh: Call) -> str:
    """Print the kind of machine, as `uname -m` does."""
    return f"{sh.machine.processor}\n"
