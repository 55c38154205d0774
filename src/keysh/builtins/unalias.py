"""unalias - remove aliases."""

from __future__ import annotations

from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2))
def unalias(sh: Call, *names: str, all: bool = False) -> None:
    """Remove aliases.

    names ...  the aliases
    -a, --all  remove all aliases
    """
    state = state_of(sh)
    if all:
        state.aliases.clear()
        return
    if not names:
        raise sh.fail("usage: unalias [-a] name [name ...]", 2)
    for name in names:
        if state.aliases.pop(name, None) is None:
            sh.warn(f"{name}: not found")
