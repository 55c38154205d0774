"""arch - print the machine's hardware name."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(compatible="GNU coreutils 9.1")
def arch(sh: Call) -> str:
    """Print the machine's hardware name, as `uname -m` does."""
    return f"{sh.machine.processor}\n"
