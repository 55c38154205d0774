"""Transfer: one URL's requests and answers, from redirect to redirect.

Address -> policy -> request -> answer -> redirect: the same again, or its body in pieces
"""

from __future__ import annotations

import re
import ssl
import zlib
from itertools import chain

import httpcore

from keysh.text.chunks import encoded, text_of_bytes
from keysh.tools.curl.address import Address
from keysh.tools.curl.connection import Backend, Clock
from keysh.tools.curl.failure import (  # fmt: skip
    BAD_ENCODING,
    EMPTY,
    HTTP,
    PARTIAL,
    PROTOCOL,
    REDIRECTS,
    REFUSED,
    TOO_LARGE,
    URL,
    WEIRD,
    TransferError,
)
from keysh.tools.curl.place import name_in
from keysh.tools.curl.request import headers_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.run.network import Network
    from keysh.tools.curl.request import Request


# Encoding: a body that a server has packed, as it was before.

ANY_HEADER, NO_HEADER = 47, -15  # for zlib: gzip's or zlib's, and neither
HEADER = 2  # bytes of zlib's
PIECE = 1 << 16
PACKED = ("gzip", "x-gzip", "deflate")


def unpacked(parts: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """The pieces of a body; none is larger than a few pieces, however much it unpacks to."""
    if encoding in ("", "identity"):
        yield from parts
        return
    if encoding not in PACKED:
        says = "Unrecognized content encoding type. libcurl understands deflate, gzip content"
        raise TransferError(BAD_ENCODING, f"{says} encodings.")
    rests, head = iter(parts), b""
    while len(head) < HEADER and (part := next(rests, None)) is not None:
        head += part
    is_bare = encoding == "deflate" and not has_header(head)
    engine = zlib.decompressobj(NO_HEADER if is_bare else ANY_HEADER)
    try:
        for rest in chain((head,), rests):
            while rest and not engine.eof:
                yield engine.decompress(rest, PIECE)
                rest = engine.unconsumed_tail
        while piece := engine.decompress(b"", PIECE):  # what had no room in the last one
            yield piece
    except zlib.error as error:
        says = str(error).rpartition(": ")[2]
        raise TransferError(
            BAD_ENCODING, f"Error while processing content unencoding: {says}"
        ) from None


def has_header(data: bytes) -> bool:
    """Whether data begins as zlib writes it; some servers leave that away."""
    return len(data) < HEADER or (data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0)


REDIRECTING = (301, 302, 303, 307, 308)
LACKING = re.compile(r"received (\d+) bytes, expected (\d+)")
BAD_ARGUMENT = 43


class Answer:
    """What is known of a transfer, for who asks with -w, while it goes on and at its end."""

    __slots__ = (
        "address", "asked", "connections", "content_type", "encoding", "expected", "fields", "file",
        "has_range", "headers", "location", "method", "own", "redirects", "size", "status",
        "target", "told", "uploaded", "version",
    )  # fmt: skip

    def __init__(self) -> None:
        self.status = self.redirects = self.size = self.uploaded = self.headers = 0
        self.address = self.own = ("", 0)  # the server's, and the one it is asked from
        self.connections = self.asked = self.told = 0  # and bytes of requests, and of heads
        self.fields: list[tuple[str, str]] = []  # the headers of the last answer
        self.content_type = self.location = self.method = self.version = ""
        self.has_range = False  # it says which part of the body it is
        self.encoding = self.file = ""  # how the body is packed, what the server calls it
        self.target: Address | None = None
        self.expected: int | None = None  # bytes of the body, where a header tells


class Transfer:
    """One transfer. `heads` are the texts of the answers' headers, as they come."""

    def __init__(self, request: Request, network: Network, clock: Clock) -> None:
        self._request, self._network, self.clock = request, network, clock
        self.answer = Answer()
        self.heads: list[bytes] = []
        self._backend = Backend(network, clock, request)
        self._pools: dict[str, httpcore.ConnectionPool] = {}

    def run(self, address: Address) -> Iterator[bytes]:
        """The body in pieces."""
        first, answer = address, self.answer
        method, content = self._request.method, self._request.content
        chosen = method or ("GET" if content is None else "POST")
        while True:
            answer.target, answer.method = address, chosen
            self._judge(chosen, address)
            is_same = address.origin == first.origin or self._request.is_trusted
            response = self._asked(chosen, address, content, is_same=is_same)
            try:
                self._note(response)
                location = self._location(response, address)
                answer.location = location
                if not (location and self._request.follows):
                    yield from self._body(response, chosen)
                    return
            finally:
                response.close()
            if answer.redirects >= self._request.most_redirects:
                says = f"Maximum ({self._request.most_redirects}) redirects followed"
                raise TransferError(REDIRECTS, says)
            answer.redirects += 1
            if self._request.refers:
                self._request.referer = address.text
            self.clock.mark("redirect")
            address = redirected(location, self._request.later_protocols)
            if response.status not in (307, 308, *self._request.posts):
                content = None
                if method is None and chosen == "POST":
                    chosen = "GET"

    def close(self) -> None:
        """Close what is open."""
        for pool in self._pools.values():
            pool.close()

    def _pool(self, scheme: str) -> httpcore.ConnectionPool:
        """The open connections of a scheme; certificates are read where one needs them."""
        found = self._pools.get(scheme)
        if found is None:
            context = self._network.tls
            if context is None and scheme == "https":
                context = ssl.create_default_context()
            found = httpcore.ConnectionPool(ssl_context=context, network_backend=self._backend)
            self._pools[scheme] = found
        return found

    def _judge(self, method: str, address: Address) -> None:
        """Ask the policy, also for the name that a header gives the server."""
        hosts = [address.host]
        for key, value in self._request.headers:
            if key.lower() == "host" and value:
                hosts.append(Address(f"{address.scheme}://{value}/").host)
        places = [(host, address.port) for host in hosts]
        for host, port in (*places, *self._request.routes.places(address.host, address.port)):
            if reason := self._network.refusal(method, host, port):
                raise TransferError(REFUSED, reason)

    def _asked(
        self, method: str, address: Address, content: bytes | None, *, is_same: bool
    ) -> httpcore.Response:
        """Send a request; the answer's headers have come."""
        headers = headers_of(self._request, address, content, is_same=is_same)
        target = self._request.target or address.target
        first = f"{method} {target} HTTP/1.1"
        lines = [first, *(f"{key}: {value}" for key, value in headers), ""]
        self._tell("> ", lines)
        self.answer.asked += sum(len(encoded(line)) + 2 for line in lines) + len(content or b"")
        self.clock.mark("pretransfer")
        try:
            return self._pool(address.scheme).handle_request(
                httpcore.Request(
                    method.encode(),
                    httpcore.URL(
                        scheme=address.scheme.encode(),
                        host=address.host.encode(),
                        port=address.port,
                        target=encoded(target),
                    ),
                    headers=[(encoded(key), encoded(value)) for key, value in headers],
                    content=content,
                )
            )
        except httpcore.LocalProtocolError as error:
            raise TransferError(BAD_ARGUMENT, f"the request is malformed: {error}") from None
        except httpcore.RemoteProtocolError as error:
            raise broken(error) from None

    def _tell(self, mark: str, lines: Iterable[str]) -> None:
        """Print headers, with -v."""
        if self._request.told is not None:
            self._request.told("".join(f"{mark}{visible(line)}\n" for line in lines))

    def _note(self, response: httpcore.Response) -> None:
        """Keep what -i and -w show."""
        answer, extensions = self.answer, response.extensions
        self.clock.mark("starttransfer")
        answer.fields = [(key.decode("latin-1"), text_of_bytes(value))
                         for key, value in response.headers]  # fmt: skip
        version = extensions["http_version"]
        answer.status, answer.headers = response.status, len(response.headers)
        answer.version = version.decode().removeprefix("HTTP/")
        answer.address, answer.own = self._backend.address, self._backend.own
        answer.connections = self._backend.count
        answer.uploaded = len(self._request.content or b"")
        answer.content_type, answer.expected = "", None
        answer.encoding, answer.file, answer.has_range = "", "", False
        jar = self._request.jar
        lines = [b"%b %d %b" % (version, response.status, extensions["reason_phrase"])]
        for key, value in response.headers:
            lines.append(b"%b: %b" % (key, value))
            if key.lower() == b"set-cookie" and jar is not None and answer.target is not None:
                jar.take(text_of_bytes(value), answer.target)
            elif key.lower() == b"content-range":
                answer.has_range = True
            elif key.lower() == b"content-disposition":
                answer.file = name_in(text_of_bytes(value))
            elif key.lower() == b"content-encoding":
                answer.encoding = value.decode("latin-1").strip().lower()
            elif key.lower() == b"content-type":
                answer.content_type = text_of_bytes(value)
            elif key.lower() == b"content-length":
                answer.expected = int(value)  # which is a number, or there was no answer
        self._tell("< ", [text_of_bytes(line) for line in (*lines, b"")])
        head = b"\r\n".join([*lines, b"", b""])
        answer.told += len(head)
        self.heads.append(head)

    def _location(self, response: httpcore.Response, address: Address) -> str:
        """Where the answer sends one; empty where it does not."""
        if response.status in REDIRECTING:
            for key, value in response.headers:
                if key.lower() == b"location":
                    try:
                        return address.joined(text_of_bytes(value))
                    except ValueError:
                        raise TransferError(URL, "the redirect leads to no URL") from None
        return ""

    def _body(self, response: httpcore.Response, method: str) -> Iterator[bytes]:
        """The body of the last answer, of which there may not be too much."""
        request, most = self._request, self._request.most
        failed = request.fails and response.status >= 400
        error = TransferError(HTTP, f"The requested URL returned error: {response.status}")
        if failed and not request.keeps_body:
            raise error
        for key, value in response.headers:
            is_length = key.lower() == b"content-length" and value.isdigit()
            if is_length and int(value) > most and method != "HEAD":
                raise TransferError(TOO_LARGE, "Maximum file size exceeded")
        encoding = self.answer.encoding if request.is_compressed else ""
        try:
            size = 0
            for part in unpacked(self._parts(response), encoding):
                size += len(part)
                if size > most:
                    raise too_much(most)
                yield part
        except httpcore.RemoteProtocolError as problem:
            raise broken(problem) from None
        if failed:
            raise error

    def _parts(self, response: httpcore.Response) -> Iterator[bytes]:
        """The body as it comes."""
        for part in response.iter_stream():
            self.clock.received += len(part)
            self.answer.size = self.clock.received
            if self.clock.received > self._request.most:
                raise too_much(self._request.most)
            yield part


def too_much(most: int) -> TransferError:
    """An answer has more bytes than are allowed."""
    return TransferError(TOO_LARGE, f"Exceeded the maximum allowed file size ({most})")


def visible(text: str) -> str:
    """A header, so that no terminal obeys it."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def redirected(location: str, protocols: frozenset[str]) -> Address:
    """Where a redirect leads."""
    try:
        return Address(location, protocols=protocols)
    except TransferError as error:
        if error.status != PROTOCOL or location.startswith(("http:", "https:")):
            raise
        says = "The redirect target URL could not be parsed: Unsupported URL scheme"
        raise TransferError(PROTOCOL, says) from None


def broken(error: httpcore.RemoteProtocolError) -> TransferError:
    """What curl calls an answer that is none."""
    told = str(error)
    if told.startswith("Server disconnected without sending a response"):
        return TransferError(EMPTY, "Empty reply from server")
    if match := LACKING.search(told):
        left = int(match[2]) - int(match[1])
        return TransferError(PARTIAL, f"transfer closed with {left} bytes remaining to read")
    if "incomplete chunked read" in told:
        return TransferError(PARTIAL, "transfer closed with outstanding read data remaining")
    if "illegal status line" in told:
        return TransferError(PROTOCOL, "Received HTTP/0.9 when not allowed")
    return TransferError(WEIRD, f"Weird server reply: {told}")
