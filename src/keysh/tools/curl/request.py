"""Request: what the options ask for, and the headers that it is sent with."""

from __future__ import annotations

from base64 import b64encode

from keysh.text.chunks import encoded
from keysh.tools.curl.body import FORM, JSON
from keysh.tools.curl.protocols import SPOKEN
from keysh.tools.curl.routes import Routes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.curl.address import Address
    from keysh.tools.curl.cookies import Jar
    from keysh.tools.curl.netrc import Netrc

FRAMING = ("connection", "content-length", "transfer-encoding", "upgrade")
PRIVATE = ("authorization", "cookie")  # not for another server than the one they were meant for


class Request:
    """What the options ask of every request."""

    __slots__ = (
        "agent", "bearer", "connect_seconds", "content", "cookies", "default_scheme", "fails",
        "family", "follows", "headers", "is_compressed", "is_json", "is_trusted", "jar",
        "keeps_body", "keeps_dots", "kind", "later_protocols", "method", "most", "most_redirects",
        "netrc", "posts", "protocols", "range", "referer", "refers", "routes", "since", "target",
        "told", "user",
    )  # fmt: skip

    def __init__(self, method: str | None, content: bytes | None) -> None:
        self.method, self.content = method, content  # no method means the one that fits
        self.is_json = self.fails = self.keeps_body = self.follows = False
        self.agent: str | None = None
        self.user: str | None = None
        self.kind: str | None = FORM  # the type of the content, where it has one
        self.range = ""  # the bytes that are asked for
        self.referer = ""
        self.refers = False  # a redirect is told where it came from
        self.cookies = ""  # of -b, for the first server alone
        self.jar: Jar | None = None
        self.is_compressed = False
        self.connect_seconds = 0.0
        self.told: Callable[[str], object] | None = None  # with -v, takes the headers
        self.headers: list[tuple[str, str | None]] = []  # None takes one of curl's own away
        self.bearer = ""
        self.netrc: Netrc | None = None
        self.since: tuple[str, str] | None = None  # the header of -z
        self.is_trusted = False  # all servers are told what the first one is
        self.posts: set[int] = set()  # redirects after which the content is sent again
        self.protocols = self.later_protocols = SPOKEN  # the latter for redirects
        self.default_scheme, self.target = "http", ""  # the latter instead of the URL's
        self.keeps_dots = False
        self.family = 0  # 4 or 6 where only such addresses are wanted
        self.routes = Routes()
        self.most_redirects = 50
        self.most = 0


def headers_of(
    request: Request, address: Address, content: bytes | None, *, is_same: bool
) -> list[tuple[str, str]]:
    """The headers of a request, in curl's order."""
    hosts = [value for key, value in request.headers if key.lower() == "host" and is_same]
    made = [("Host", hosts[-1] or "")] if hosts else [("Host", address.authority)]
    user = address.user or (request.user if is_same else None)
    if user is None and request.netrc is not None:
        user = request.netrc.user(address.host)
    if request.bearer and is_same and address.user is None:
        made.append(("Authorization", f"Bearer {request.bearer}"))
    elif user is not None:
        made.append(("Authorization", f"Basic {b64encode(encoded(user)).decode()}"))
    if request.range:
        made.append(("Range", f"bytes={request.range}"))
    made += [("User-Agent", request.agent or "keysh"), ("Accept", "*/*")]
    if request.is_compressed:
        made.append(("Accept-Encoding", "deflate, gzip"))
    if request.referer:
        made.append(("Referer", request.referer))
    kept = request.jar.fitting(address) if request.jar is not None else ""
    if cookies := "; ".join(filter(None, (kept, request.cookies if is_same else ""))):
        made.append(("Cookie", cookies))
    if request.since is not None:
        made.append(request.since)
    given = [
        (key, value)
        for key, value in request.headers
        if key.lower() != "host" and (is_same or key.lower() not in PRIVATE)
    ]
    last: list[tuple[str, str]] = []
    if content is not None:
        last = [("Content-Length", str(len(content)))]
        if request.kind is not None:
            last.append(("Content-Type", request.kind))
        if request.is_json:  # as if these headers were given
            names = [key.lower() for key, _ in given]
            typed = [("Content-Type", JSON), ("Accept", JSON)]
            given += [pair for pair in typed if pair[0].lower() not in names]
    replaced = {key.lower() for key, _ in given}
    shown = [(key, value) for key, value in given if value is not None]
    return [
        *(pair for pair in made if pair[0].lower() not in replaced),
        *shown,
        *(pair for pair in last if pair[0].lower() not in replaced),
    ]


def header_of(text: str) -> tuple[str, str | None] | None:
    """A header as -H gives it: `Name: value`, `Name:` for none, `Name;` for an empty one."""
    name, colon, value = text.partition(":")
    if colon:
        return name.strip(), value.strip() or None
    return (text.strip()[:-1], "") if text.strip().endswith(";") else None
