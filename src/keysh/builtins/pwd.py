"""pwd - print the working directory."""

from __future__ import annotations

from keysh.schema.declare import OutputStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(lines=True), refusals=Refusals(usage_status=2))
def pwd(sh: Call, *operands: Raw, logical: bool = False, physical: bool = False) -> str:
    """Print the working directory.

    operands ...    ignored, as in bash
    -L, --logical   print the path as it was reached, through links (the default)
    -P, --physical  print the path without symbolic links
    """
    is_physical = bool(sh.given) and sh.given[-1][0] == "physical"
    return f"{sh.fs.resolve(sh.cwd) if is_physical else sh.cwd}\n"
