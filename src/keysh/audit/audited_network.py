"""A network whose requests are recorded: each of them, and each redirect, before it is sent."""

from __future__ import annotations

from time import perf_counter

from keysh.interp.run.network import Network

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from keysh.interp.state.state import State

    class RequestLog(Protocol):
        """The part of a trail that records requests."""

        def request(self, state: State, method: str, host: str, port: int, refusal: str) -> int: ...
        def end_span(
            self, parent: int, span: int, event: str, began: float, fields: Mapping[str, object]
        ) -> None: ...


class AuditedNetwork(Network):
    """What a network allows, for one command. All but the records is asked of the network itself.

    A request that is sent may have several records: the host, and those by whose way it goes.
    """

    __slots__ = ("_network", "_open", "_state", "_trail")

    def __init__(self, network: Network, trail: RequestLog, state: State) -> None:
        self._network, self._trail, self._state = network, trail, state
        self._open: list[tuple[int, float]] = []  # the spans of what is sent, and their beginnings

    def __getattr__(self, name: str) -> Any:
        return getattr(self._network, name)

    def refusal(self, method: str, host: str, port: int) -> str:
        reason = self._network.refusal(method, host, port)
        span = self._trail.request(self._state, method, host, port, reason)
        if span:
            self._open.append((span, perf_counter()))
        return reason

    def end_request(self, status: int, received_bytes: int) -> None:
        fields: dict[str, object] = {"status": status or None, "bytes": received_bytes}
        while self._open:
            span, began = self._open.pop()
            self._trail.end_span(self._state.span, span, "request", began, fields)

    def allows(self, address: str) -> bool:
        return self._network.allows(address)
