"""Serve sessions over streamable HTTP: each client that begins one has its own.

request ─> origin, token, size ─> HttpSessions ─> its session's transport ─> server ─> tools
                                      └── a new one, if there is room

On loopback whoever may use the machine may connect, and no page of a browser: `Host` and `Origin`
must name loopback. Elsewhere a token is required.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import signal
import socket
import sys
from contextlib import asynccontextmanager, contextmanager
from ipaddress import ip_address
from urllib.parse import urlsplit
from uuid import uuid4

import anyio
import uvicorn
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.transport_security import RequestBodyLimitMiddleware
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from keysh.adapters.mcp.server import server_for
from keysh.diagnostics.display import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from typing import Any

    from anyio.abc import TaskGroup

    from keysh.adapters.agent import BashSession, KeyshSession, ShellManager
    from keysh.adapters.mcp.settings import ServerSettings

PATH = "/mcp"
DEFAULT_ADDRESS = ("127.0.0.1", 8000)
MAX_BODY_BYTES = 16 << 20
SESSION_HEADER, VERSION_HEADER = b"mcp-session-id", b"mcp-protocol-version"
LOOPBACK_NAME = "localhost"
INVALID_REQUEST, INTERNAL_ERROR, UNSUPPORTED_VERSION = -32600, -32603, -32022
SHUTDOWN_SECONDS = 1


class HttpSessions:
    """The sessions of a server, as an ASGI application.

    `make_session` makes the session of a new client. Without a token only loopback is served.
    """

    def __init__(
        self, make_session: Callable[[], KeyshSession | BashSession], settings: ServerSettings,
        token: str | None = None,
    ) -> None:  # fmt: skip
        self._make_session, self._settings, self._token = make_session, settings, token
        self._transports: dict[str, StreamableHTTPServerTransport] = {}
        self._tasks: TaskGroup | None = None
        self._limited = RequestBodyLimitMiddleware(self._serve, MAX_BODY_BYTES)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[HttpSessions]:
        """Serve within the block; all sessions end with it."""
        async with anyio.create_task_group() as self._tasks:
            try:
                yield self
            finally:
                self._tasks.cancel_scope.cancel()

    async def end(self) -> None:
        """End all sessions, with the streams of their clients."""
        for transport in [*self._transports.values()]:
            await transport.terminate()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            return
        headers = dict(scope["headers"])
        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await answer(send, *refusal)
            return
        await self._limited(scope, receive, send)

    def _refusal(
        self, scope: Any, headers: dict[bytes, bytes]
    ) -> tuple[int, dict[str, Any], list[tuple[bytes, bytes]]] | None:
        """Return the answer to a request that may not be, None for one that may."""
        if scope["path"].rstrip("/") != PATH:
            return 404, error_record(INVALID_REQUEST, f"the server is at {PATH}"), []
        host = headers.get(b"host", b"").decode("latin-1")
        if self._token is None and not is_loopback(host_name(f"//{host}")):
            return 421, error_record(INVALID_REQUEST, "this Host is not served"), []
        origin = headers.get(b"origin")
        if origin is not None and not is_same_origin(origin.decode("latin-1"), host):
            return 403, error_record(INVALID_REQUEST, "this Origin may not use the server"), []
        if self._token is not None:
            sent = headers.get(b"authorization", b"")
            if not hmac.compare_digest(sent, f"Bearer {self._token}".encode()):
                record = error_record(INVALID_REQUEST, "a token is required")
                return 401, record, [(b"www-authenticate", b"Bearer")]
        version = headers.get(VERSION_HEADER, b"").decode("latin-1")
        if version and version not in HANDSHAKE_PROTOCOL_VERSIONS:
            # A session lasts here, which later versions of the protocol do not have.
            data = {"supported": [*HANDSHAKE_PROTOCOL_VERSIONS], "requested": version[:100]}
            return 400, error_record(UNSUPPORTED_VERSION, "unsupported protocol version", data), []
        return None

    async def _serve(self, scope: Any, receive: Any, send: Any) -> None:
        """Pass a request on to its session, or to a new one."""
        session_id = dict(scope["headers"]).get(SESSION_HEADER)
        if session_id is not None:
            transport = self._transports.get(session_id.decode("latin-1"))
            if transport is None:
                await answer(send, 404, error_record(INVALID_REQUEST, "there is no such session"))
                return
            await transport.handle_request(scope, receive, send)
            if transport.is_terminated:
                self._transports.pop(session_id.decode("latin-1"), None)
            return
        if scope["method"] != "POST":  # as any page may send, without an Origin
            await answer(send, 400, error_record(INVALID_REQUEST, "a session begins with a POST"))
            return
        if len(self._transports) >= self._settings.max_sessions:
            await answer(send, 503, error_record(INVALID_REQUEST, "there are too many sessions"))
            return
        await self._begin(scope, receive, send)

    async def _begin(self, scope: Any, receive: Any, send: Any) -> None:
        """Begin a session with its first request; without an `initialize` it ends at once."""
        assert self._tasks is not None
        transport = StreamableHTTPServerTransport(
            uuid4().hex, idle_timeout=self._settings.idle_seconds
        )
        session_id = str(transport.mcp_session_id)
        self._transports[session_id] = transport
        status = 0

        async def watched_send(message: Any) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            try:
                await self._tasks.start(self._run, transport)
            except Exception as error:  # noqa: BLE001 - what the host's session raises
                report_failure(error)
                await answer(send, 500, error_record(INTERNAL_ERROR, "no session can be made"))
                return
            await transport.handle_request(scope, receive, watched_send)
        finally:
            if not 200 <= status < 300:
                self._transports.pop(session_id, None)
                with anyio.CancelScope(shield=True):
                    await transport.terminate()

    async def _run(self, transport: StreamableHTTPServerTransport, *, task_status: Any) -> None:
        """Serve one session until its client ends it, or nobody has used it for long."""
        manager = self._settings.manager_of(await asyncio.to_thread(self._make_session))
        try:
            server = server_for(self._settings.tools_of(manager))
            try:
                async with transport.connect() as (reader, writer):
                    task_status.started()
                    assert transport.idle_scope is not None
                    with transport.idle_scope:
                        await server.run(reader, writer, server.create_initialization_options())
                    await transport.terminate()
            except Exception as error:  # noqa: BLE001 - the other sessions go on
                report_failure(error)
        finally:
            self._transports.pop(str(transport.mcp_session_id), None)
            with anyio.CancelScope(shield=True):
                await asyncio.to_thread(close_manager, manager)


def close_manager(manager: ShellManager) -> None:
    """End a session; the other ones go on if that fails."""
    try:
        manager.close()
    except Exception as error:  # noqa: BLE001 - of the host's files, and the like
        report_failure(error)


def report_failure(error: Exception) -> None:
    """Tell on standard error why a session has failed."""
    shown = visible(f"{type(error).__name__}: {error}")
    sys.stderr.write(f"keysh: mcp: a session failed: {shown}\n")


def error_record(code: int, message: str, data: Any = None) -> dict[str, Any]:
    """Return an error of JSON-RPC."""
    error = {"code": code, "message": message, **({} if data is None else {"data": data})}
    return {"jsonrpc": "2.0", "id": None, "error": error}


async def answer(
    send: Any, status: int, record: dict[str, Any], headers: list[tuple[bytes, bytes]] | None = None
) -> None:
    """Send an answer of JSON."""
    body = json.dumps(record).encode()
    fields = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    start = {"type": "http.response.start", "status": status}
    await send({**start, "headers": [*fields, *(headers or [])]})
    await send({"type": "http.response.body", "body": body})


def host_name(url: str) -> str:
    """Return the host of a URL, or an empty text."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a name or an address means this machine."""
    if host == LOOPBACK_NAME:
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def is_same_origin(origin: str, host: str) -> bool:
    """Whether a page at an origin may use the server: it comes from there, or from loopback."""
    name = host_name(origin)
    is_local = is_loopback(name) and is_loopback(host_name(f"//{host}"))
    return is_local or (bool(name) and urlsplit(origin).netloc == host)


def address_of_text(text: str) -> tuple[str, int]:
    """Return the host and the port of `HOST:PORT`, `PORT` or `HOST`; raise ValueError."""
    if not text:
        return DEFAULT_ADDRESS
    if text.isdecimal():
        text = f"{DEFAULT_ADDRESS[0]}:{text}"
    parts = urlsplit(f"//{text}")
    port = parts.port
    if not parts.hostname or parts.path:
        raise ValueError(f"{text!r} is no address: HOST:PORT")
    return parts.hostname, DEFAULT_ADDRESS[1] if port is None else port


def serve_http(
    make_session: Callable[[], KeyshSession | BashSession], address: tuple[str, int],
    settings: ServerSettings, token: str | None = None,
) -> int:  # fmt: skip
    """Serve sessions until SIGTERM or Ctrl-C, which end this process once all sessions have ended.

    Raise ValueError for an address that is not on loopback, if there is no token.
    """
    host, port = address
    if not token and not is_loopback(host):
        raise ValueError(f"{host} is not on loopback, so a token is required")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as listener:
        shown = f"[{host}]" if ":" in host else host
        url = f"http://{shown}:{listener.getsockname()[1]}{PATH}"
        sessions = HttpSessions(make_session, settings, token)
        number = asyncio.run(serve_listener(listener, sessions, url))
    if number:
        signal.signal(number, signal.SIG_DFL)
        signal.raise_signal(number)
    return 0


class UncapturedServer(uvicorn.Server):
    """A server that leaves signals alone: its own way kills the process before sessions end."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def serve_listener(listener: socket.socket, sessions: HttpSessions, url: str) -> int:
    """Serve sessions on a socket that listens; return the signal that ended that, or 0."""
    config = uvicorn.Config(
        sessions, log_level="error", lifespan="off", access_log=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS, server_header=False,
    )  # fmt: skip
    server = UncapturedServer(config)
    numbers: asyncio.Queue[int] = asyncio.Queue()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, numbers.put_nowait, number)
    sys.stderr.write(f"keysh: mcp: serving at {url}\n")
    sys.stderr.flush()
    async with sessions.running():
        serving = asyncio.create_task(server.serve([listener]))
        serving.add_done_callback(lambda _: numbers.put_nowait(0))  # if it fails
        ended_by = await numbers.get()
        await sessions.end()  # and with them the streams that clients read
        server.should_exit = True
        await serving
    return ended_by
