"""users - print the names of logged-in users."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1")
def users(sh: Call, file: Path = "") -> str:
    """Print the names of logged-in users, of whom there are none.

    file  ignored
    """
    return ""
