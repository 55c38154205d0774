"""The headers that a host gives for a server, which no script sees."""

from __future__ import annotations

from base64 import b64encode

from keysh.diagnostics.exceptions import refuse
from keysh.interp.run.network import HEADER_NAME, HEADER_VALUE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def headers_of(headers: Mapping[str, str] | None, auth: object) -> list[tuple[str, str]]:
    """Return the headers to send, with the one that `auth` means; ValueError for a wrong one."""
    if headers is not None and not hasattr(headers, "items"):
        refuse("headers", "a mapping", headers, "headers={'X-Key': 'value'}")
    sent = [plain_header(name, value) for name, value in (headers or {}).items()]
    if auth is None:
        return sent
    if isinstance(auth, str):
        return [*sent, plain_header("Authorization", f"Bearer {auth}")]
    if not isinstance(auth, tuple) or [type(part) for part in auth] != [str, str]:
        refuse("auth", "a token, or a name and a password", auth, "auth=('name', 'password')")
    code = b64encode(":".join(auth).encode()).decode()
    return [*sent, plain_header("Authorization", f"Basic {code}")]


def plain_header(name: object, value: object) -> tuple[str, str]:
    """Return a header that can be sent; raise ValueError for another."""
    if not isinstance(name, str) or not isinstance(value, str):
        raise TypeError(f"headers must be text, but {name!r:.60} has a {type(value).__name__}")
    if not HEADER_NAME.fullmatch(name) or not HEADER_VALUE.fullmatch(value):
        raise ValueError(f"a header cannot be sent: {name!r:.60}")
    return name, value
