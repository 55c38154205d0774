"""One request to a server of tools, by the transfers of `curl`, with their policy and limits."""

from __future__ import annotations

from keysh.interp.run.network import Network
from keysh.interp.state.call import CommandFailure

try:
    from keysh.tools.curl.address import UrlAddress
    from keysh.tools.curl.connection import TransferClock
    from keysh.tools.curl.failure import TransferError
    from keysh.tools.curl.request import RequestSettings
    from keysh.tools.curl.transfer import CurlTransfer
except ModuleNotFoundError as error:
    if error.name != "httpcore":
        raise
    raise ModuleNotFoundError(
        "servers of tools at a URL need a package: pip install 'keysh[http]'", name="httpcore"
    ) from None

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from keysh.adapters.tools.call_wait import CallWait

LOOPBACK_NAME = "localhost"
LOOPBACK_ADDRESSES = ("127.0.0.0/8", "::1/128")


class HttpExchange:
    """A request and its answer, whose body is read in pieces. Leaving its `with` block ends it."""

    __slots__ = ("_first", "_pieces", "_transfer", "status")

    def __init__(
        self, wait: CallWait, network: Network, method: str, url: str,
        headers: Sequence[tuple[str, str]], content: bytes | None, max_bytes: int,
    ) -> None:  # fmt: skip
        request = RequestSettings(method, content)
        request.headers, request.content_type = list(headers), None
        request.accepts_compression, request.max_bytes = True, max_bytes
        request.unpacked = wait.count_unpacked
        request.connect_seconds = seconds = max(0.0, wait.seconds_left())
        clock = TransferClock(wait, seconds, seconds)  # type: ignore[arg-type]  # what it needs of a call
        self._transfer = CurlTransfer(request, network_of_wait(network, wait), clock)
        try:
            self._pieces = self._transfer.run(UrlAddress(url))
            self._first = next(self._pieces, b"")
        except TransferError as error:
            self.close()
            raise CommandFailure(error.message) from None
        except BaseException:
            self.close()
            raise
        self.status = self._transfer.answer.status

    def header(self, name: str) -> str:
        """Return a header of the answer; empty if it has none of that name."""
        fields = self._transfer.answer.fields
        return next((value for key, value in fields if key.lower() == name), "")

    def pieces(self) -> Iterator[bytes]:
        """Yield the body."""
        try:
            if self._first:
                yield self._first
            yield from self._pieces
        except TransferError as error:
            raise CommandFailure(error.message) from None

    def body(self) -> bytes:
        """Return the whole body."""
        return b"".join(self.pieces())

    def close(self) -> None:
        """End the transfer."""
        self._transfer.close()

    def __enter__(self) -> HttpExchange:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()


def network_of_url(url: str, addresses: Iterable[str]) -> Network:
    """Return a network of one server: naming it allows it, and nothing else.

    Its address must be public, unless it is named by its address or as localhost, or `addresses`
    has it.
    """
    try:
        address = UrlAddress(url)
    except TransferError as error:
        raise ValueError(f"{error.message}: {url!r:.200}") from None
    if address.user is not None:
        raise ValueError("a URL of tools must have no user name; use auth=('name', 'password')")
    host = f"[{address.host}]" if ":" in address.host else address.host
    more = LOOPBACK_ADDRESSES if address.host == LOOPBACK_NAME else ()
    return Network([f"{host}:{address.port}"], ["*"], addresses=[*addresses, *more])


def network_of_wait(network: Network, wait: CallWait) -> Network:
    """Return a network whose requests are judged and recorded as those of the script are."""
    if wait.state is None:
        return network
    session = wait.state.session
    if session.permissions is not None:
        network = network.judged_by(session.permissions)
    return network if session.trail is None else session.trail.network(network, wait.state)
