"""The settings of requests, and the headers sent."""

from __future__ import annotations

from base64 import b64encode

from keysh.text.chunks import bytes_of_text
from keysh.tools.curl.body import FORM_TYPE, JSON_TYPE
from keysh.tools.curl.protocols import SUPPORTED_PROTOCOLS
from keysh.tools.curl.routes import Routes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.curl.address import UrlAddress
    from keysh.tools.curl.cookies import CookieJar
    from keysh.tools.curl.netrc import Netrc

FRAMING_HEADERS = ("connection", "content-length", "transfer-encoding", "upgrade")
PRIVATE_HEADERS = ("authorization", "cookie")  # sent to the first server only


class RequestSettings:
    """What the options say about all requests of a run."""

    __slots__ = (
        "accepts_compression", "bearer", "connect_seconds", "content", "content_type", "cookies",
        "default_scheme", "fails_on_http_error", "family", "follows_redirects", "headers",
        "is_json", "jar", "keeps_body", "keeps_dots", "max_bytes", "max_redirects", "method",
        "netrc", "protocols", "range", "redirect_protocols", "referer", "reposting_statuses",
        "request_target", "routes", "sets_referer", "time_condition", "trace", "trusts_redirects",
        "unpacked", "user", "user_agent",
    )  # fmt: skip

    def __init__(self, method: str | None, content: bytes | None) -> None:
        self.method, self.content = method, content  # without a method, GET or POST
        self.is_json = self.fails_on_http_error = self.keeps_body = self.follows_redirects = False
        self.user_agent: str | None = None
        self.user: str | None = None
        self.content_type: str | None = FORM_TYPE  # of the content
        self.range = ""  # of bytes
        self.referer = ""
        self.sets_referer = False  # whether redirects update it
        self.cookies = ""  # of -b, for the first host only
        self.jar: CookieJar | None = None
        self.accepts_compression = False
        self.unpacked: Callable[[int], object] | None = None  # counts what a body decompresses to
        self.connect_seconds = 0.0
        self.trace: Callable[[str], object] | None = None  # prints headers, for -v
        self.headers: list[tuple[str, str | None]] = []  # None removes one of curl's own
        self.bearer = ""
        self.netrc: Netrc | None = None
        self.time_condition: tuple[str, str] | None = None  # the header of -z
        self.trusts_redirects = False  # sends credentials to all hosts
        self.reposting_statuses: set[int] = set()  # keep POST after these
        self.protocols = self.redirect_protocols = SUPPORTED_PROTOCOLS  # the latter for redirects
        self.default_scheme, self.request_target = "http", ""
        self.keeps_dots = False
        self.family = 0  # 4 or 6 to use only these addresses
        self.routes = Routes()
        self.max_redirects = 50
        self.max_bytes = 0


def request_headers(
    request: RequestSettings, address: UrlAddress, content: bytes | None, *, is_same_server: bool
) -> list[tuple[str, str]]:
    """Return the headers of a request, in curl's order."""
    hosts = [value for key, value in request.headers if key.lower() == "host" and is_same_server]
    standard = [("Host", hosts[-1] or "")] if hosts else [("Host", address.authority)]
    user = address.user or (request.user if is_same_server else None)
    if user is None and request.netrc is not None:
        user = request.netrc.credentials(address.host)
    if request.bearer and is_same_server and address.user is None:
        standard.append(("Authorization", f"Bearer {request.bearer}"))
    elif user is not None:
        standard.append(("Authorization", f"Basic {b64encode(bytes_of_text(user)).decode()}"))
    if request.range:
        standard.append(("Range", f"bytes={request.range}"))
    standard += [("User-Agent", request.user_agent or "keysh"), ("Accept", "*/*")]
    if request.accepts_compression:
        standard.append(("Accept-Encoding", "deflate, gzip"))
    if request.referer:
        standard.append(("Referer", request.referer))
    stored = request.jar.cookie_header(address) if request.jar is not None else ""
    if cookies := "; ".join(filter(None, (stored, request.cookies if is_same_server else ""))):
        standard.append(("Cookie", cookies))
    if request.time_condition is not None:
        standard.append(request.time_condition)
    custom = [
        (key, value)
        for key, value in request.headers
        if key.lower() != "host" and (is_same_server or key.lower() not in PRIVATE_HEADERS)
    ]
    content_headers: list[tuple[str, str]] = []
    if content is not None:
        content_headers = [("Content-Length", str(len(content)))]
        if request.content_type is not None:
            content_headers.append(("Content-Type", request.content_type))
        if request.is_json:  # defaults that -H can override
            names = [key.lower() for key, _ in custom]
            json_headers = [("Content-Type", JSON_TYPE), ("Accept", JSON_TYPE)]
            custom += [pair for pair in json_headers if pair[0].lower() not in names]
    replaced = {key.lower() for key, _ in custom}
    sent = [(key, value) for key, value in custom if value is not None]
    return [
        *(pair for pair in standard if pair[0].lower() not in replaced),
        *sent,
        *(pair for pair in content_headers if pair[0].lower() not in replaced),
    ]


def parse_header_option(text: str) -> tuple[str, str | None] | None:
    """Parse a header of -H: `Name: value`, `Name:` to remove it, `Name;` for an empty one."""
    name, colon, value = text.partition(":")
    if colon:
        return name.strip(), value.strip() or None
    return (text.strip()[:-1], "") if text.strip().endswith(";") else None
