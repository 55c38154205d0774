"""tty - print the name of the terminal."""

from __future__ import annotations

from os import isatty, ttyname

from keysh.schema.declare import OutputStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(write_error=(3, "write error: {}")),
    refusals=Refusals(usage_status=2),
)
def tty(sh: Call, *, quiet: bool = False) -> int:
    """Print the name of the terminal on standard input; fail if there is none.

    -s, --quiet, --silent  print nothing
    """
    is_terminal = sh.stdin.fd >= 0 and isatty(sh.stdin.fd)
    if not quiet:
        sh.out.write(ttyname(sh.stdin.fd) + "\n" if is_terminal else "not a tty\n")
    return 0 if is_terminal else 1
