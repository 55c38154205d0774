"""clear - clear the terminal's screen."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.tools.tput import CLEAR_SCREEN, CLEAR_SCROLLBACK, KNOWN_TERMINALS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

USAGE_HINT = "Usage: clear [-T TERM] [-x]"


@command(
    compatible="ncurses 6.4",
    refusals=Refusals(usage_hint=USAGE_HINT),
    style=OptionStyle(binds_by_key=False),
)
def clear(sh: Call, *, term: str | None = None, keep: bool = False) -> str | int:
    """Clear the terminal's screen, and what was scrolled away.

    -T, --term NAME  the terminal, instead of $TERM
    -x, --keep       keep what was scrolled away

    The terminals are those of tput.
    """
    name = sh.env.get("TERM") if term is None else term
    if name is None:
        sh.err.write("TERM environment variable not set.\n")
        return 1
    if name == "dumb":
        return 1
    if not name.startswith(KNOWN_TERMINALS):
        sh.err.write(f"'{name}': unknown terminal type.\n")
        return 1
    return CLEAR_SCREEN if keep else CLEAR_SCREEN + CLEAR_SCROLLBACK
