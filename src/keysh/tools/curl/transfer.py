"""Transfer one URL, following redirects.

URL -> policy -> request -> response -> another URL (a redirect), or the body in pieces
"""

from __future__ import annotations

import re
import ssl
import zlib
from itertools import chain

import httpcore

from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.tools.curl.address import UrlAddress
from keysh.tools.curl.connection import PolicyBackend, TransferClock
from keysh.tools.curl.failure import (  # fmt: skip
    BAD_CONTENT_ENCODING,
    FILESIZE_EXCEEDED,
    GOT_NOTHING,
    HTTP_RETURNED_ERROR,
    PARTIAL_FILE,
    REFUSED_BY_HOST,
    TOO_MANY_REDIRECTS,
    UNSUPPORTED_PROTOCOL,
    URL_MALFORMAT,
    WEIRD_SERVER_REPLY,
    TransferError,
)
from keysh.tools.curl.output_files import disposition_file_name
from keysh.tools.curl.request import request_headers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Network
    from keysh.tools.curl.request import RequestSettings


# Content encodings.

ZLIB_OR_GZIP_HEADER, RAW_DEFLATE = 47, -15  # arguments for zlib
ZLIB_HEADER_BYTES = 2
DECODE_CHUNK_BYTES = 1 << 16
UNPACKED_ENCODINGS = ("", "identity")
SUPPORTED_ENCODINGS = ("gzip", "x-gzip", "deflate")


def decode_content(parts: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Decode a body in pieces of limited size, whatever the compression ratio."""
    if encoding in UNPACKED_ENCODINGS:
        yield from parts
        return
    if encoding not in SUPPORTED_ENCODINGS:
        message = "Unrecognized content encoding type. libcurl understands deflate, gzip content"
        raise TransferError(BAD_CONTENT_ENCODING, f"{message} encodings.")
    remaining, head = iter(parts), b""
    while len(head) < ZLIB_HEADER_BYTES and (part := next(remaining, None)) is not None:
        head += part
    is_bare = encoding == "deflate" and not has_zlib_header(head)
    engine = zlib.decompressobj(RAW_DEFLATE if is_bare else ZLIB_OR_GZIP_HEADER)
    try:
        for data in chain((head,), remaining):
            while data and not engine.eof:
                yield engine.decompress(data, DECODE_CHUNK_BYTES)
                data = engine.unconsumed_tail
        while piece := engine.decompress(b"", DECODE_CHUNK_BYTES):  # the rest of the last piece
            yield piece
    except zlib.error as error:
        message = str(error).rpartition(": ")[2]
        raise TransferError(
            BAD_CONTENT_ENCODING, f"Error while processing content unencoding: {message}"
        ) from None


def has_zlib_header(data: bytes) -> bool:
    """Return whether data begins with a zlib header, which some servers omit."""
    return len(data) < ZLIB_HEADER_BYTES or (
        data[0] & 15 == 8 and int.from_bytes(data[:2], "big") % 31 == 0
    )


REDIRECT_STATUSES = (301, 302, 303, 307, 308)
SHORT_BODY_PATTERN = re.compile(r"received (\d+) bytes, expected (\d+)")
BAD_FUNCTION_ARGUMENT = 43


class TransferAnswer:
    """What is known about a transfer, for -w and for progress."""

    __slots__ = (
        "body_bytes", "connections", "content_type", "encoding", "expected_bytes", "fields",
        "file_name", "has_range", "header_bytes", "header_count", "local_address", "location",
        "method", "redirects", "remote_address", "request_bytes", "status", "uploaded_bytes", "url",
        "version",
    )  # fmt: skip

    def __init__(self) -> None:
        self.status = self.redirects = self.body_bytes = self.uploaded_bytes = self.header_count = 0
        self.remote_address = self.local_address = ("", 0)
        self.connections = self.request_bytes = self.header_bytes = 0
        self.fields: list[tuple[str, str]] = []  # the headers of the last response
        self.content_type = self.location = self.method = self.version = ""
        self.has_range = False  # whether it is a partial response
        self.encoding = self.file_name = ""  # as the headers say
        self.url: UrlAddress | None = None
        self.expected_bytes: int | None = None  # the Content-Length


class CurlTransfer:
    """One transfer. `header_blocks` are the headers of the responses received so far."""

    def __init__(self, request: RequestSettings, network: Network, clock: TransferClock) -> None:
        self._request, self._network, self.clock = request, network, clock
        self.answer = TransferAnswer()
        self.header_blocks: list[bytes] = []
        self._backend = PolicyBackend(network, clock, request)
        self._pools: dict[str, httpcore.ConnectionPool] = {}

    def run(self, address: UrlAddress) -> Iterator[bytes]:
        """Yield the body in pieces."""
        first, answer = address, self.answer
        method, content = self._request.method, self._request.content
        current_method = method or ("GET" if content is None else "POST")
        while True:
            answer.url, answer.method = address, current_method
            status = 0
            try:
                self._check_policy(current_method, address)
                is_first = address.origin == first.origin
                private = self._private_headers(current_method, address) if is_first else []
                response = self._send(
                    current_method, address, content, private,
                    is_same_server=is_first or self._request.trusts_redirects,
                )  # fmt: skip
                try:
                    self._record_answer(response)
                    status = response.status
                    location = self._redirect_location(response, address)
                    answer.location = location
                    if not (location and self._request.follows_redirects):
                        yield from self._body(response, current_method)
                        return
                finally:
                    response.close()
            finally:
                self._network.end_request(status, answer.body_bytes)
            if answer.redirects >= self._request.max_redirects:
                message = f"Maximum ({self._request.max_redirects}) redirects followed"
                raise TransferError(TOO_MANY_REDIRECTS, message)
            answer.redirects += 1
            if self._request.sets_referer:
                self._request.referer = address.text
            self.clock.mark("redirect")
            address = redirect_address(location, self._request.redirect_protocols)
            if response.status not in (307, 308, *self._request.reposting_statuses):
                content = None
                if method is None and current_method == "POST":
                    current_method = "GET"

    def close(self) -> None:
        """Close all connections."""
        for pool in self._pools.values():
            pool.close()

    def _pool(self, scheme: str) -> httpcore.ConnectionPool:
        """Return the connection pool of a scheme. Load certificates only for https."""
        pool = self._pools.get(scheme)
        if pool is None:
            context = self._network.tls
            if context is None and scheme == "https":
                context = ssl.create_default_context()
            pool = httpcore.ConnectionPool(ssl_context=context, network_backend=self._backend)
            self._pools[scheme] = pool
        return pool

    def _check_policy(self, method: str, address: UrlAddress) -> None:
        """Raise an error if the policy refuses the host, its routes or the Host header."""
        hosts = [address.host]
        target = self._request.request_target or address.path_and_query
        path = target
        if not target.startswith("/"):  # a server takes the host from a whole URL
            path = address.path_and_query
            if "://" in target:
                named = UrlAddress(target)
                hosts.append(named.host)
                path = named.path_and_query
        for key, value in self._request.headers:
            if key.lower() == "host" and value:
                hosts.append(UrlAddress(f"{address.scheme}://{value}/").host)
        places = [(host, address.port) for host in hosts]
        places += self._request.routes.connect_targets(address.host, address.port)
        for host, port in dict.fromkeys(places):
            if reason := self._network.refusal(method, host, port):
                raise TransferError(REFUSED_BY_HOST, reason)
            self._network.judge_request(method, address.scheme, host, port, path)
        backend = self._backend
        backend.asked_method, backend.asked_path = method, path
        backend.judge_known_address(address.host, address.port)

    def _private_headers(self, method: str, address: UrlAddress) -> list[tuple[str, str]]:
        """Return the host's credentials for a request: none if it may arrive anywhere else.

        TRACE would send them back.
        """
        request = self._request
        here = (address.host, address.port)
        is_elsewhere = (
            request.routes.connect_targets(*here) != [here]
            or not (request.request_target or "/").startswith("/")
            or any(
                key.lower() == "host" and value not in (None, address.authority)
                for key, value in request.headers
            )
        )
        if is_elsewhere or method.upper() == "TRACE":
            return []
        return self._network.credentials_for(address.scheme, *here)

    def _send(
        self,
        method: str,
        address: UrlAddress,
        content: bytes | None,
        private: list[tuple[str, str]],
        *,
        is_same_server: bool,
    ) -> httpcore.Response:
        """Send a request and receive the headers of the response.

        `private` are headers that replace the script's own and are told to nobody.
        """
        headers = request_headers(self._request, address, content, is_same_server=is_same_server)
        target = self._request.request_target or address.path_and_query
        first = f"{method} {target} HTTP/1.1"
        lines = [first, *(f"{key}: {value}" for key, value in headers), ""]
        self._trace("> ", lines)
        self.answer.request_bytes += sum(len(bytes_of_text(line)) + 2 for line in lines) + len(
            content or b""
        )
        self.clock.mark("pretransfer")
        replaced = {key.lower() for key, _ in private}
        headers = [*(pair for pair in headers if pair[0].lower() not in replaced), *private]
        try:
            return self._pool(address.scheme).handle_request(
                httpcore.Request(
                    method.encode(),
                    httpcore.URL(
                        scheme=address.scheme.encode(),
                        host=address.host.encode(),
                        port=address.port,
                        target=bytes_of_text(target),
                    ),
                    headers=[(bytes_of_text(key), bytes_of_text(value)) for key, value in headers],
                    content=content,
                )
            )
        except httpcore.LocalProtocolError as error:
            raise TransferError(
                BAD_FUNCTION_ARGUMENT, f"the request is malformed: {error}"
            ) from None
        except httpcore.RemoteProtocolError as error:
            raise protocol_failure(error) from None

    def _trace(self, mark: str, lines: Iterable[str]) -> None:
        """Print headers, with -v."""
        if self._request.trace is not None:
            self._request.trace("".join(f"{mark}{printable_header(line)}\n" for line in lines))

    def _record_answer(self, response: httpcore.Response) -> None:
        """Record the status and headers of a response, for -i, -w and others."""
        answer, extensions = self.answer, response.extensions
        self.clock.mark("starttransfer")
        answer.fields = [(key.decode("latin-1"), text_of_bytes(value))
                         for key, value in response.headers]  # fmt: skip
        version = extensions["http_version"]
        answer.status, answer.header_count = response.status, len(response.headers)
        answer.version = version.decode().removeprefix("HTTP/")
        answer.remote_address, answer.local_address = (
            self._backend.remote_address,
            self._backend.local_address,
        )
        answer.connections = self._backend.connection_count
        answer.uploaded_bytes = len(self._request.content or b"")
        answer.content_type, answer.expected_bytes = "", None
        answer.encoding, answer.file_name, answer.has_range = "", "", False
        jar = self._request.jar
        lines = [b"%b %d %b" % (version, response.status, extensions["reason_phrase"])]
        for key, value in response.headers:
            lines.append(b"%b: %b" % (key, value))
            if key.lower() == b"set-cookie" and jar is not None and answer.url is not None:
                jar.accept_header(text_of_bytes(value), answer.url)
            elif key.lower() == b"content-range":
                answer.has_range = True
            elif key.lower() == b"content-disposition":
                answer.file_name = disposition_file_name(text_of_bytes(value))
            elif key.lower() == b"content-encoding":
                answer.encoding = value.decode("latin-1").strip().lower()
            elif key.lower() == b"content-type":
                answer.content_type = text_of_bytes(value)
            elif key.lower() == b"content-length":
                answer.expected_bytes = int(value)  # httpcore has validated it
        self._trace("< ", [text_of_bytes(line) for line in (*lines, b"")])
        head = b"\r\n".join([*lines, b"", b""])
        answer.header_bytes += len(head)
        self.header_blocks.append(head)

    def _redirect_location(self, response: httpcore.Response, address: UrlAddress) -> str:
        """Return the URL that a response redirects to, if any."""
        if response.status in REDIRECT_STATUSES:
            for key, value in response.headers:
                if key.lower() == b"location":
                    try:
                        return address.redirect_url(text_of_bytes(value))
                    except ValueError:
                        raise TransferError(URL_MALFORMAT, "the redirect leads to no URL") from None
        return ""

    def _body(self, response: httpcore.Response, method: str) -> Iterator[bytes]:
        """Yield the decoded body of the last response, up to the maximum size."""
        request, max_bytes = self._request, self._request.max_bytes
        failed = request.fails_on_http_error and response.status >= 400
        error = TransferError(
            HTTP_RETURNED_ERROR, f"The requested URL returned error: {response.status}"
        )
        if failed and not request.keeps_body:
            raise error
        for key, value in response.headers:
            is_length = key.lower() == b"content-length" and value.isdigit()
            if is_length and int(value) > max_bytes and method != "HEAD":
                raise TransferError(FILESIZE_EXCEEDED, "Maximum file size exceeded")
        encoding = self.answer.encoding if request.accepts_compression else ""
        try:
            size = 0
            for part in decode_content(self._raw_body(response), encoding):
                size += len(part)
                if size > max_bytes:
                    raise too_large_error(max_bytes)
                if encoding not in UNPACKED_ENCODINGS and request.unpacked is not None:
                    request.unpacked(len(part))
                yield part
        except httpcore.RemoteProtocolError as problem:
            raise protocol_failure(problem) from None
        if failed:
            raise error

    def _raw_body(self, response: httpcore.Response) -> Iterator[bytes]:
        """Yield the body as received."""
        for part in response.iter_stream():
            self.clock.received_bytes += len(part)
            self.answer.body_bytes = self.clock.received_bytes
            if self.clock.received_bytes > self._request.max_bytes:
                raise too_large_error(self._request.max_bytes)
            yield part


def too_large_error(max_bytes: int) -> TransferError:
    """Return the error for a response that is too large."""
    return TransferError(FILESIZE_EXCEEDED, f"Exceeded the maximum allowed file size ({max_bytes})")


def printable_header(text: str) -> str:
    """Return a header with control characters escaped, for a terminal."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def redirect_address(location: str, protocols: frozenset[str]) -> UrlAddress:
    """Return the address of a redirect, with curl's message if it is unusable."""
    try:
        return UrlAddress(location, protocols=protocols)
    except TransferError as error:
        if error.status != UNSUPPORTED_PROTOCOL or location.startswith(("http:", "https:")):
            raise
        message = "The redirect target URL could not be parsed: Unsupported URL scheme"
        raise TransferError(UNSUPPORTED_PROTOCOL, message) from None


def protocol_failure(error: httpcore.RemoteProtocolError) -> TransferError:
    """Return curl's error for an invalid response."""
    message = str(error)
    if message.startswith("Server disconnected without sending a response"):
        return TransferError(GOT_NOTHING, "Empty reply from server")
    if match := SHORT_BODY_PATTERN.search(message):
        left = int(match[2]) - int(match[1])
        return TransferError(PARTIAL_FILE, f"transfer closed with {left} bytes remaining to read")
    if "incomplete chunked read" in message:
        return TransferError(PARTIAL_FILE, "transfer closed with outstanding read data remaining")
    if "illegal status line" in message:
        return TransferError(UNSUPPORTED_PROTOCOL, "Received HTTP/0.9 when not allowed")
    return TransferError(WEIRD_SERVER_REPLY, f"Weird server reply: {message}")
