"""logname - print the login name."""

from __future__ import annotations

from keysh.gnu.owners import user_name
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(compatible="GNU coreutils 9.1")
def logname(sh: Call) -> str:
    """Print the name of the shell's user: $USER or `user`."""
    return f"{user_name(sh)}\n"
