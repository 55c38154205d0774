"""The parts of a URL."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import quote, unquote, urljoin, urlsplit

from keysh.tools.curl.failure import (
    COULDNT_RESOLVE_HOST,
    UNSUPPORTED_PROTOCOL,
    URL_MALFORMAT,
    TransferError,
)
from keysh.tools.curl.protocols import SUPPORTED_PROTOCOLS

DEFAULT_PORTS = {"http": 80, "https": 443}
SCHEME_PATTERN = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
MALFORMED_URL = "URL using bad/illegal format or missing URL"
# Characters not escaped in a path or query: all ASCII but blanks and controls.
SAFE_CHARACTERS = "".join(chr(code) for code in range(33, 127))


class UrlAddress:
    """The URL of a request. `text` is the URL without user name and password."""

    __slots__ = ("host", "port", "scheme", "path_and_query", "text", "user")

    def __init__(
        self, url: str, *, default: str = "http", protocols: frozenset[str] = SUPPORTED_PROTOCOLS,
        keeps_dots: bool = False,
    ) -> None:  # fmt: skip
        match = SCHEME_PATTERN.match(url)
        self.scheme = match[1].lower() if match else default
        if self.scheme not in protocols:
            message = f'Protocol "{self.scheme}" not supported or disabled in libcurl'
            raise TransferError(UNSUPPORTED_PROTOCOL, message)
        rest = url[match.end() :] if match else url
        if any(char <= " " or char == "\x7f" for char in url) or not rest:
            raise TransferError(URL_MALFORMAT, MALFORMED_URL)
        try:
            parts = urlsplit(f"{self.scheme}://{rest}")
            name, port = parts.hostname or "", parts.port
            self.host = name if name.isascii() else name.encode("idna").decode()
        except ValueError:
            raise TransferError(URL_MALFORMAT, MALFORMED_URL) from None
        if port == 0 or (not name and rest[0] not in "/?#"):
            raise TransferError(URL_MALFORMAT, MALFORMED_URL)
        if not self.host or re.search(r"[^a-z0-9._:%~-]", self.host):
            raise TransferError(
                COULDNT_RESOLVE_HOST if name else URL_MALFORMAT,
                f"Could not resolve host: {name}" if name else MALFORMED_URL,
            )
        self.port = DEFAULT_PORTS[self.scheme] if port is None else port
        self.user = None
        if parts.username is not None:
            self.user = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        dotless_path = parts.path if keeps_dots else remove_dot_segments(parts.path)
        path = quote(dotless_path, safe=SAFE_CHARACTERS, errors="surrogateescape")
        query = quote(parts.query, safe=SAFE_CHARACTERS, errors="surrogateescape")
        self.path_and_query = (
            f"{path or '/'}?{query}" if "?" in rest.partition("#")[0] else path or "/"
        )
        self.text = f"{self.origin}{self.path_and_query}"

    @property
    def authority(self) -> str:
        """Host and port, as in the Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port: the scope of credentials."""
        return f"{self.scheme}://{self.authority}"

    def with_query(self, more: str) -> UrlAddress:
        """Return this address with more added to its query."""
        mark = "" if self.path_and_query[-1] in "?&" else "&" if "?" in self.path_and_query else "?"
        url = f"{self.origin}{self.path_and_query}{mark}{quote(more, safe=SAFE_CHARACTERS)}"
        address = UrlAddress(url, keeps_dots=True)
        address.user = self.user
        return address

    def redirect_url(self, location: str) -> str:
        """Return the URL of a redirect. Like curl, accept blanks in it."""
        return urljoin(self.text, location.strip().replace(" ", "%20"))


def remove_dot_segments(path: str) -> str:
    """Remove `.` and `..` from a path (RFC 3986 section 5.2.4)."""
    if "/." not in path:
        return path
    kept: list[str] = []
    segments = path.split("/")[1:]
    for segment in segments:
        if segment == "..":
            kept[-1:] = []
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/" + "/".join(kept)


def address_of(host: str) -> IPv4Address | IPv6Address | None:
    """Return the IP address if the host is one; None for a name."""
    try:
        return ip_address(host)
    except ValueError:
        return None
