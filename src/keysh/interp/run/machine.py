"""Machine: what scripts are told of the machine. It is always the same, never the host's.

A name for it may be given by the variable HOSTNAME.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

SYSTEM_NAME, SYSTEM_RELEASE, SYSTEM_VERSION = "Linux", "6.1.0-keysh", "#1 SMP keysh"
PROCESSOR, OPERATING_SYSTEM = "x86_64", "GNU/Linux"
SYSTEM_TYPE = "linux-gnu"  # as `$OSTYPE` has it
PROCESSOR_COUNT = 1
HOME_DIRECTORIES = {"~root": "/root"}


def host_name(sh: Call) -> str:
    """The machine's name."""
    return sh.env.get("HOSTNAME") or "localhost"
