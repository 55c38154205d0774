"""The machine that scripts see: always the same, never the host's. $HOSTNAME may name it."""

from __future__ import annotations

from keysh.interp.variables.variable import PROCESSOR

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SYSTEM_NAME, SYSTEM_RELEASE, SYSTEM_VERSION = "Linux", "6.1.0-keysh", "#1 SMP keysh"
OPERATING_SYSTEM = "GNU/Linux"
PROCESSOR_COUNT = 1
HOME_DIRECTORIES = {"~root": "/root"}


class Machine:
    """What commands may know of the machine."""

    __slots__ = ("_env",)

    system_name, release, version = SYSTEM_NAME, SYSTEM_RELEASE, SYSTEM_VERSION
    processor, operating_system = PROCESSOR, OPERATING_SYSTEM
    processor_count = PROCESSOR_COUNT

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env

    @property
    def host_name(self) -> str:
        """$HOSTNAME, or else `localhost`."""
        return self._env.get("HOSTNAME") or "localhost"
