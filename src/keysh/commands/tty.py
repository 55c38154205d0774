"""tty - the name of the terminal."""

from __future__ import annotations

from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call


@command(usage=2)
def tty(sh: Call, *, quiet: bool = False) -> int:
    """Print the name of the terminal that the input is: it never is one, so the status is 1.

    -s, --quiet, --silent  print nothing
    """
    if not quiet:
        sh.out.write("not a tty\n")
    return 1
