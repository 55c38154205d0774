"""A network whose decisions are recorded: each request, and each redirect, before it is sent."""

from __future__ import annotations

from keysh.interp.run.network import Network

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class AuditedNetwork(Network):
    """What a network allows, for one command.

    `record` gets the method, the host, the port and why the request is refused, or "". All else is
    asked of the network itself.
    """

    __slots__ = ("_network", "_record")

    def __init__(self, network: Network, record: Callable[[str, str, int, str], None]) -> None:
        self._network, self._record = network, record

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)

    def refusal(self, method: str, host: str, port: int) -> str:
        reason = self._network.refusal(method, host, port)
        self._record(method, host, port, reason)
        return reason

    def allows(self, address: str) -> bool:
        return self._network.allows(address)
