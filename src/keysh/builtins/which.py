"""which - locate commands."""

from __future__ import annotations

from keysh.interp.builtin_operations.all_meanings import BUILTIN, FILE, meanings
from keysh.interp.state.state_of_call import state_of
from keysh.schema.declare import OutputStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(output=OutputStyle(lines=True), refusals=Refusals(usage_status=2))
def which(sh: Call, *names: str, all: bool = False) -> str:
    """Print the path of each command, or the name of a builtin, which has none.

    names ...  the commands
    -a, --all  print all matches, not only the first
    """
    state = state_of(sh)
    sh.status = int(not names)
    lines: list[str] = []
    for name in names:
        kinds = [one for one in meanings(state, name) if one[0] in (BUILTIN, FILE)]
        if not kinds:
            sh.status = 1
        for kind, path in kinds if all else kinds[:1]:
            lines.append(f"{path if kind == FILE else name}\n")
    return "".join(lines)
