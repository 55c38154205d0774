"""The machine that scripts see: always the same, never the host's. $HOSTNAME may name it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

SYSTEM_NAME, SYSTEM_RELEASE, SYSTEM_VERSION = "Linux", "6.1.0-keysh", "#1 SMP keysh"
PROCESSOR, OPERATING_SYSTEM = "x86_64", "GNU/Linux"
SYSTEM_TYPE = "linux-gnu"  # `$OSTYPE`
PROCESSOR_COUNT = 1
HOME_DIRECTORIES = {"~root": "/root"}


def host_name(sh: Call) -> str:
    """Return the name of the machine."""
    return sh.env.get("HOSTNAME") or "localhost"
