"""hostname - the machine's name."""

from __future__ import annotations

from keysh.runtime.machine import host_name
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call


@command
def hostname(
    sh: Call, name: str = "", *, short: bool = False, fqdn: bool = False, domain: bool = False
) -> str:
    """Print the machine's name: $HOSTNAME, else `localhost`. The host's is not told.

    name                a new name; always refused
    -s, --short         only what stands before the first dot
    -f, --fqdn, --long  the whole name, which is the default
    -d, --domain        only what stands behind the first dot
    """
    if name:
        raise sh.fail("you must be root to change the host name")
    first, _, rest = host_name(sh).partition(".")
    return f"{first if short else rest if domain else host_name(sh)}\n"
