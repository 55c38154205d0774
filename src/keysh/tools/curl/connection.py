"""Connection: what httpcore opens and reads, so that the policy and the run's end hold.

    httpcore -> Backend: name -> addresses -> judged -> Connection, to the address that was judged

No read and no write waits longer than the transfer may take, or when the run is cancelled.
"""

from __future__ import annotations

import select
import socket
import ssl
from _thread import allocate_lock
from time import monotonic

import httpcore

from keysh.interp.engine.strand import TURN, start
from keysh.interp.run.network import address_of
from keysh.tools.curl.failure import (  # fmt: skip
    CERTIFICATE,
    CONNECT,
    RECEIVE,
    REFUSED,
    RESOLVE,
    SEND,
    TIMEOUT,
    TLS,
    TransferError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any

    from keysh.interp.run.limits import Budget
    from keysh.interp.run.network import Network
    from keysh.tools.curl.request import Request

FAMILIES = {4: socket.AF_INET, 6: socket.AF_INET6}
LOOK = 1.0  # seconds between two looks at the run's limits, beside the flag that cancels it


class Clock:
    """The time of one transfer, and the run that it stands in."""

    __slots__ = ("_began", "_budget", "_end", "_last_end", "connected", "marks", "received")

    def __init__(self, budget: Budget, seconds: float, connect_seconds: float) -> None:
        self._budget, self._began = budget, monotonic()
        self._last_end = self._began + seconds
        self._end = self._began + min(seconds, connect_seconds)
        self.connected = False
        self.received = 0  # bytes of the answer's body
        self.marks: dict[str, float] = {}  # when what happened last, by curl's names

    @property
    def elapsed(self) -> float:
        """Seconds since the transfer began."""
        return monotonic() - self._began

    def mark(self, name: str) -> None:
        """Something has happened."""
        self.marks[name] = self.elapsed

    def connect(self) -> None:
        """There is a connection: the time for that is over, the transfer's goes on."""
        self.connected, self._end = True, self._last_end
        self.mark("connect")

    def look(self) -> None:
        """End the transfer when its time is over, or the run's."""
        self._budget.look()
        if monotonic() < self._end:
            return
        milliseconds = round(self.elapsed * 1000)
        if self.connected:
            told = f"{milliseconds} milliseconds with {self.received} bytes received"
            raise TransferError(TIMEOUT, f"Operation timed out after {told}")
        raise TransferError(TIMEOUT, f"Connection timed out after {milliseconds} milliseconds")

    def wait(self, wire: socket.socket, events: int) -> None:
        """Wait until a socket can be read from or written to."""
        flag = self._budget.flag()
        poll = select.poll()
        poll.register(wire, events)
        poll.register(flag.fd, select.POLLIN)
        while True:
            self.look()
            left = self._end - monotonic()
            rest = self._budget.remaining()
            seconds = min(LOOK, left, LOOK if rest is None else rest)
            if any(fd != flag.fd for fd, _ in poll.poll(max(0.001, seconds) * 1000)):
                return


class Backend(httpcore.NetworkBackend):
    """Opens connections to addresses that the policy allows."""

    def __init__(self, network: Network, clock: Clock, request: Request) -> None:
        self._network, self._clock, self._request = network, clock, request
        self.address = self.own = ("", 0)  # where the last connection leads, and comes from
        self.count = 0  # of connections

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        found: list[tuple[int, tuple[Any, ...]]] = []
        for place, its_port in self._request.routes.places(host, port):
            found += addresses(place, its_port, self._clock)
        self._clock.mark("namelookup")
        if family := FAMILIES.get(self._request.family):
            found = [one for one in found if one[0] == family]
            if not found:
                raise TransferError(RESOLVE, f"Could not resolve host: {host}")
        allowed = [one for one in found if self._network.allows(one[1][0])]
        if not allowed:
            says = f"{host} is {found[0][1][0]}, which is not a public address"
            raise TransferError(REFUSED, says)
        for kind, address in allowed:
            wire = socket.socket(kind, socket.SOCK_STREAM)
            try:
                wire.setblocking(False)
                self._connect(wire, address)
            except OSError:
                wire.close()
                continue
            except BaseException:
                wire.close()
                raise
            self._clock.connect()
            self.address, self.own = (address[0], address[1]), wire.getsockname()[:2]
            self.count += 1
            return Connection(wire, self._clock)
        milliseconds = round(self._clock.elapsed * 1000)
        told = f"{host} port {port} after {milliseconds} ms: Couldn't connect to server"
        raise TransferError(CONNECT, f"Failed to connect to {told}")

    def _connect(self, wire: socket.socket, address: tuple[Any, ...]) -> None:
        try:
            wire.connect(address)
        except BlockingIOError:
            self._clock.wait(wire, select.POLLOUT)
            number = wire.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if number:
                raise OSError(number, "connect") from None


def addresses(host: str, port: int, clock: Clock) -> list[tuple[int, tuple[Any, ...]]]:
    """The families and addresses of a host. The machine looks them up on a thread of its own."""
    found: list[tuple[int, tuple[Any, ...]]] = []
    answered = allocate_lock()
    answered.acquire()

    def look_up() -> None:
        try:
            for family, _, _, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                found.append((family, address))
        except (OSError, UnicodeError):
            pass  # there are none
        finally:
            answered.release()

    if address_of(host) is not None:
        look_up()  # nothing is asked
    else:
        start(look_up)
        while not answered.acquire(timeout=TURN):
            clock.look()
    if not found:
        raise TransferError(RESOLVE, f"Could not resolve host: {host}")
    return found


class Connection(httpcore.NetworkStream):
    """A connection that never waits longer than its clock allows."""

    def __init__(self, wire: socket.socket, clock: Clock) -> None:
        self._wire, self._clock = wire, clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        while True:
            try:
                return self._wire.recv(max_bytes)
            except (BlockingIOError, ssl.SSLWantReadError):
                self._clock.wait(self._wire, select.POLLIN)
            except ssl.SSLWantWriteError:
                self._clock.wait(self._wire, select.POLLOUT)
            except ssl.SSLEOFError:
                return b""
            except OSError as error:
                raise TransferError(RECEIVE, f"Recv failure: {error.strerror}") from None

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        while rest:
            try:
                rest = rest[self._wire.send(rest) :]
            except (BlockingIOError, ssl.SSLWantWriteError):
                self._clock.wait(self._wire, select.POLLOUT)
            except ssl.SSLWantReadError:
                self._clock.wait(self._wire, select.POLLIN)
            except OSError as error:
                raise TransferError(SEND, f"Send failure: {error.strerror}") from None

    def close(self) -> None:
        self._wire.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore.NetworkStream:
        try:
            wire = ssl_context.wrap_socket(
                self._wire, server_hostname=server_hostname, do_handshake_on_connect=False
            )
        except ssl.SSLError as error:
            raise TransferError(TLS, f"SSL connect error: {error.reason}") from None
        self._wire = wire
        while True:
            try:
                wire.do_handshake()
                self._clock.mark("appconnect")
                return self
            except ssl.SSLWantReadError:
                self._clock.wait(wire, select.POLLIN)
            except ssl.SSLWantWriteError:
                self._clock.wait(wire, select.POLLOUT)
            except ssl.SSLCertVerificationError as error:
                wire.close()
                says = f"SSL certificate problem: {error.verify_message}"
                raise TransferError(CERTIFICATE, says) from None
            except OSError as error:
                wire.close()
                reason = getattr(error, "reason", None) or error.strerror
                raise TransferError(TLS, f"SSL connect error: {reason}") from None

    def get_extra_info(self, info: str) -> Any:
        # What httpcore asks for: whether an idle connection has been closed by the other side.
        if info == "is_readable":
            poll = select.poll()
            poll.register(self._wire, select.POLLIN)
            return bool(poll.poll(0))
        return (
            self._wire if info == "ssl_object" and isinstance(self._wire, ssl.SSLSocket) else None
        )
