"""hash - look up commands, or forget where programs were found."""

from __future__ import annotations

from keysh.interp.builtin_operations.all_meanings import FILE, meanings
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(usage_status=2), ignored="-d, --delete; -l, --list")
def hash_(
    sh: Call,
    *names: str,
    reset: bool = False,
    table: bool = False,
) -> None:
    """Check that commands exist, and forget the cached locations of programs.

    The cached locations are not listed.

    names ...     the commands
    -r, --reset   forget all locations
    -t, --table   print the paths of commands that are files
    """
    state = state_of(sh)
    programs = state.session.programs
    if reset and programs is not None:
        programs.forget()
    if not names and not reset:
        sh.out.write("hash: hash table empty\n")
    for name in names:
        if programs is not None and not table:
            programs.forget(name)
        kind, path = next(meanings(state, name), ("", ""))
        if not kind:
            sh.warn(f"{name}: not found")
        elif table and kind == FILE:
            sh.out.write(f"{name}\t{path}\n" if len(names) > 1 else f"{path}\n")
