"""The network backend for httpcore, which enforces the policy and the time limits.

    httpcore -> PolicyBackend: host -> addresses -> policy -> TimedConnection to that address

The name is resolved once, and the connection goes to the address that the policy has checked.
Reads and writes end with the transfer's time limit, or when the run is cancelled.
"""

from __future__ import annotations

import select
import socket
import ssl
from _thread import allocate_lock
from time import monotonic

import httpcore

from keysh.tools.curl.address import address_of
from keysh.tools.curl.failure import (  # fmt: skip
    COULDNT_CONNECT,
    COULDNT_RESOLVE_HOST,
    OPERATION_TIMEDOUT,
    PEER_FAILED_VERIFICATION,
    RECV_ERROR,
    REFUSED_BY_HOST,
    SEND_ERROR,
    SSL_CONNECT_ERROR,
    TransferError,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from keysh.interp.state.call import Call, Network
    from keysh.tools.curl.request import RequestSettings

ADDRESS_FAMILIES = {4: socket.AF_INET, 6: socket.AF_INET6}
LIMIT_CHECK_SECONDS = 1.0  # between checks of the run's limits; cancelling interrupts the wait
LOOKUP_POLL_SECONDS = 0.02  # between checks of the limits during a name lookup


class TransferClock:
    """The time limits of one transfer and of the run around it."""

    __slots__ = (
        "_start",
        "_sh",
        "_deadline",
        "_transfer_deadline",
        "is_connected",
        "marks",
        "received_bytes",
    )

    def __init__(self, sh: Call, seconds: float, connect_seconds: float) -> None:
        self._sh, self._start = sh, monotonic()
        self._transfer_deadline = self._start + seconds
        self._deadline = self._start + min(seconds, connect_seconds)
        self.is_connected = False
        self.received_bytes = 0  # of the response body
        self.marks: dict[str, float] = {}  # elapsed seconds of the last events, by curl's names

    @property
    def elapsed_seconds(self) -> float:
        """Seconds since the transfer began."""
        return monotonic() - self._start

    def start_thread(self, work: Callable[[], object]) -> None:
        """Start `work` on a thread of its own."""
        self._sh.start_thread(work)

    def mark(self, name: str) -> None:
        """Record the time of an event."""
        self.marks[name] = self.elapsed_seconds

    def mark_connected(self) -> None:
        """Record that the connection is made. From now on the transfer's time limit holds."""
        self.is_connected, self._deadline = True, self._transfer_deadline
        self.mark("connect")

    def check_time(self) -> None:
        """Raise an error if the time of the transfer or of the run is up."""
        self._sh.tick()
        if monotonic() < self._deadline:
            return
        milliseconds = round(self.elapsed_seconds * 1000)
        if self.is_connected:
            outcome = f"{milliseconds} milliseconds with {self.received_bytes} bytes received"
            raise TransferError(OPERATION_TIMEDOUT, f"Operation timed out after {outcome}")
        raise TransferError(
            OPERATION_TIMEDOUT, f"Connection timed out after {milliseconds} milliseconds"
        )

    def wait_for_socket(self, wire: socket.socket, events: int) -> None:
        """Wait until a socket is ready for these poll events."""
        cancel_fd = self._sh.cancel_fd
        poll = select.poll()
        poll.register(wire, events)
        poll.register(cancel_fd, select.POLLIN)
        while True:
            self.check_time()
            deadline = self._sh.deadline
            end = self._deadline if deadline is None else min(self._deadline, deadline)
            seconds = min(LIMIT_CHECK_SECONDS, end - monotonic())
            if any(fd != cancel_fd for fd, _ in poll.poll(max(0.001, seconds) * 1000)):
                return


class PolicyBackend(httpcore.NetworkBackend):
    """Opens connections to addresses that the policy allows."""

    def __init__(self, network: Network, clock: TransferClock, request: RequestSettings) -> None:
        self._network, self._clock, self._request = network, clock, request
        self.remote_address = self.local_address = ("", 0)  # of the last connection
        self.connection_count = 0
        self.asked_method, self.asked_path = "GET", "/"  # of the request that is being sent
        # Of the named hosts connected to.
        self.addresses: dict[tuple[str, int], tuple[str, int]] = {}

    def judge_known_address(self, host: str, port: int) -> None:
        """Let the host judge the request that is being sent, if its connection is there already."""
        if (host, port) in self.addresses:
            self._judge(*self.addresses[host, port])

    def _judge(self, address: str, port: int) -> None:
        self._network.judge_address(self.asked_method, address, port, self.asked_path)

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        addresses: list[tuple[int, tuple[Any, ...]]] = []
        targets = self._request.routes.connect_targets(host, port)
        named = [target_host for target_host, _ in targets]
        for target_host, target_port in targets:
            addresses += resolve_host(target_host, target_port, self._clock)
        self._clock.mark("namelookup")
        if family := ADDRESS_FAMILIES.get(self._request.family):
            addresses = [each for each in addresses if each[0] == family]
            if not addresses:
                raise TransferError(COULDNT_RESOLVE_HOST, f"Could not resolve host: {host}")
        allowed = [each for each in addresses if self._network.allows(each[1][0])]
        if not allowed:
            message = f"{host} is {addresses[0][1][0]}, which is not a public address"
            raise TransferError(REFUSED_BY_HOST, message)
        for kind, address in allowed:
            if address[0] not in named:  # else it has been judged as the host
                self._judge(address[0], address[1])
                self.addresses[host, port] = address[0], address[1]
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
            self._clock.mark_connected()
            self.remote_address, self.local_address = (
                (address[0], address[1]),
                wire.getsockname()[:2],
            )
            self.connection_count += 1
            return TimedConnection(wire, self._clock)
        milliseconds = round(self._clock.elapsed_seconds * 1000)
        outcome = f"{host} port {port} after {milliseconds} ms: Couldn't connect to server"
        raise TransferError(COULDNT_CONNECT, f"Failed to connect to {outcome}")

    def _connect(self, wire: socket.socket, address: tuple[Any, ...]) -> None:
        try:
            wire.connect(address)
        except BlockingIOError:
            self._clock.wait_for_socket(wire, select.POLLOUT)
            number = wire.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
            if number:
                raise OSError(number, "connect") from None


def resolve_host(host: str, port: int, clock: TransferClock) -> list[tuple[int, tuple[Any, ...]]]:
    """Resolve a host to families and addresses, on a thread of its own as it may block."""
    addresses: list[tuple[int, tuple[Any, ...]]] = []
    answered = allocate_lock()
    answered.acquire()

    def look_up() -> None:
        try:
            for family, _, _, _, address in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
                addresses.append((family, address))
        except (OSError, ValueError, OverflowError):
            pass  # reported below, as no addresses
        finally:
            answered.release()

    if address_of(host) is not None:
        look_up()  # a numeric address, which never blocks
    else:
        clock.start_thread(look_up)
        while not answered.acquire(timeout=LOOKUP_POLL_SECONDS):
            clock.check_time()
    if not addresses:
        raise TransferError(COULDNT_RESOLVE_HOST, f"Could not resolve host: {host}")
    return addresses


class TimedConnection(httpcore.NetworkStream):
    """A connection whose operations end with its clock."""

    def __init__(self, wire: socket.socket, clock: TransferClock) -> None:
        self._wire, self._clock = wire, clock

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        while True:
            try:
                return self._wire.recv(max_bytes)
            except (BlockingIOError, ssl.SSLWantReadError):
                self._clock.wait_for_socket(self._wire, select.POLLIN)
            except ssl.SSLWantWriteError:
                self._clock.wait_for_socket(self._wire, select.POLLOUT)
            except ssl.SSLEOFError:
                return b""
            except OSError as error:
                raise TransferError(RECV_ERROR, f"Recv failure: {error.strerror}") from None

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        rest = memoryview(buffer)
        while rest:
            try:
                rest = rest[self._wire.send(rest) :]
            except (BlockingIOError, ssl.SSLWantWriteError):
                self._clock.wait_for_socket(self._wire, select.POLLOUT)
            except ssl.SSLWantReadError:
                self._clock.wait_for_socket(self._wire, select.POLLIN)
            except OSError as error:
                raise TransferError(SEND_ERROR, f"Send failure: {error.strerror}") from None

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
            raise TransferError(SSL_CONNECT_ERROR, f"SSL connect error: {error.reason}") from None
        self._wire = wire
        while True:
            try:
                wire.do_handshake()
                self._clock.mark("appconnect")
                return self
            except ssl.SSLWantReadError:
                self._clock.wait_for_socket(wire, select.POLLIN)
            except ssl.SSLWantWriteError:
                self._clock.wait_for_socket(wire, select.POLLOUT)
            except ssl.SSLCertVerificationError as error:
                wire.close()
                message = f"SSL certificate problem: {error.verify_message}"
                raise TransferError(PEER_FAILED_VERIFICATION, message) from None
            except OSError as error:
                wire.close()
                reason = getattr(error, "reason", None) or error.strerror
                raise TransferError(SSL_CONNECT_ERROR, f"SSL connect error: {reason}") from None

    def get_extra_info(self, info: str) -> Any:
        # httpcore asks this to find out whether the server has closed an idle connection.
        if info == "is_readable":
            poll = select.poll()
            poll.register(self._wire, select.POLLIN)
            return bool(poll.poll(0))
        return (
            self._wire if info == "ssl_object" and isinstance(self._wire, ssl.SSLSocket) else None
        )
