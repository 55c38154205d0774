"""help - show help for commands."""

from __future__ import annotations

from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command
from keysh.schema.render import help_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2))
def help_(sh: Call, *names: str, description: bool = False) -> Iterator[str]:
    """Show help for commands; without names, list all commands.

    names ...          the commands
    -d, --description  one line for each command
    """
    registry = state_of(sh).session.registry
    for name in names or sorted(registry.names()):
        found = registry.command_named(name)
        if found is None:
            sh.warn(f"no help topics match `{name}'. Try `help', or `{name} --help'.")
        elif names and not description:
            yield help_text(found)
        else:
            yield f"{name} - {found.summary}\n"
