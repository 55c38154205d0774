"""compopt - change the options of a completion."""

from __future__ import annotations

from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(refusals=Refusals(usage_status=2))
def compopt(sh: Call, *words: Raw) -> None:
    """Fail: a completion that could be changed never runs.

    words ...  options such as -o nospace and +o nospace, and commands
    """
    raise sh.fail("not currently executing completion function")
