"""Request: what the options ask for, and the headers that it is sent with."""

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
PRIVATE_HEADERS = (
    "authorization",
    "cookie",
)  # not for another server than the one they were meant for


class RequestSettings:
    """What the options ask of every request."""

    __slots__ = (
        "user_agent", "bearer", "connect_seconds", "content", "cookies", "default_scheme", "fails_on_http_error",
        "family", "follows_redirects", "headers", "accepts_compression", "is_json", "trusts_redirects", "jar",
        "keeps_body", "keeps_dots", "content_type", "redirect_protocols", "method", "max_bytes", "max_redirects",
        "netrc", "reposting_statuses", "protocols", "range", "referer", "sets_referer", "routes", "time_condition", "request_target",
        "trace", "user",
    )  # fmt: skip

    def __init__(self, method: str | None, content: bytes | None) -> None:
        self.method, self.content = method, content  # no method means the one that fits
        self.is_json = self.fails_on_http_error = self.keeps_body = self.follows_redirects = False
        self.user_agent: str | None = None
        self.user: str | None = None
        self.content_type: str | None = FORM_TYPE  # the type of the content, where it has one
        self.range = ""  # the bytes that are asked for
        self.referer = ""
        self.sets_referer = False  # a redirect is told where it came from
        self.cookies = ""  # of -b, for the first server alone
        self.jar: CookieJar | None = None
        self.accepts_compression = False
        self.connect_seconds = 0.0
        self.trace: Callable[[str], object] | None = None  # with -v, takes the headers
        self.headers: list[tuple[str, str | None]] = []  # None takes one of curl's own away
        self.bearer = ""
        self.netrc: Netrc | None = None
        self.time_condition: tuple[str, str] | None = None  # the header of -z
        self.trusts_redirects = False  # all servers are told what the first one is
        self.reposting_statuses: set[int] = set()  # redirects after which the content is sent again
        self.protocols = self.redirect_protocols = SUPPORTED_PROTOCOLS  # the latter for redirects
        self.default_scheme, self.request_target = "http", ""  # the latter instead of the URL's
        self.keeps_dots = False
        self.family = 0  # 4 or 6 where only such addresses are wanted
        self.routes = Routes()
        self.max_redirects = 50
        self.max_bytes = 0


def request_headers(
    request: RequestSettings, address: UrlAddress, content: bytes | None, *, is_same: bool
) -> list[tuple[str, str]]:
    """The headers of a request, in curl's order."""
    hosts = [value for key, value in request.headers if key.lower() == "host" and is_same]
    made = [("Host", hosts[-1] or "")] if hosts else [("Host", address.authority)]
    user = address.user or (request.user if is_same else None)
    if user is None and request.netrc is not None:
        user = request.netrc.credentials(address.host)
    if request.bearer and is_same and address.user is None:
        made.append(("Authorization", f"Bearer {request.bearer}"))
    elif user is not None:
        made.append(("Authorization", f"Basic {b64encode(bytes_of_text(user)).decode()}"))
    if request.range:
        made.append(("Range", f"bytes={request.range}"))
    made += [("User-Agent", request.user_agent or "keysh"), ("Accept", "*/*")]
    if request.accepts_compression:
        made.append(("Accept-Encoding", "deflate, gzip"))
    if request.referer:
        made.append(("Referer", request.referer))
    kept = request.jar.cookie_header(address) if request.jar is not None else ""
    if cookies := "; ".join(filter(None, (kept, request.cookies if is_same else ""))):
        made.append(("Cookie", cookies))
    if request.time_condition is not None:
        made.append(request.time_condition)
    given = [
        (key, value)
        for key, value in request.headers
        if key.lower() != "host" and (is_same or key.lower() not in PRIVATE_HEADERS)
    ]
    last: list[tuple[str, str]] = []
    if content is not None:
        last = [("Content-Length", str(len(content)))]
        if request.content_type is not None:
            last.append(("Content-Type", request.content_type))
        if request.is_json:  # as if these headers were given
            names = [key.lower() for key, _ in given]
            typed = [("Content-Type", JSON_TYPE), ("Accept", JSON_TYPE)]
            given += [pair for pair in typed if pair[0].lower() not in names]
    replaced = {key.lower() for key, _ in given}
    shown = [(key, value) for key, value in given if value is not None]
    return [
        *(pair for pair in made if pair[0].lower() not in replaced),
        *shown,
        *(pair for pair in last if pair[0].lower() not in replaced),
    ]


def parse_header_option(text: str) -> tuple[str, str | None] | None:
    """A header as -H gives it: `Name: value`, `Name:` for none, `Name;` for an empty one."""
    name, colon, value = text.partition(":")
    if colon:
        return name.strip(), value.strip() or None
    return (text.strip()[:-1], "") if text.strip().endswith(";") else None
