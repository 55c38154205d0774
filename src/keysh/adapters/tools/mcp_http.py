"""The streamable HTTP transport of the Model Context Protocol: each message is a POST.

The answer is a JSON body, or a stream of events of which one is the answer.
"""

from __future__ import annotations

from keysh.adapters.tools.call_wait import CallWait
from keysh.adapters.tools.http_exchange import HttpExchange, network_of_url
from keysh.adapters.tools.mcp_messages import (
    PROTOCOL_VERSION,
    TOOLS_CHANGED,
    SessionLost,
    message_of_bytes,
    own_answer,
    wire_bytes,
)
from keysh.adapters.tools.shell_names import MAX_MESSAGE_CHARACTERS, shown_lines
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.limits import Limits
from keysh.interp.state.call import CommandFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

EVENT_STREAM = "text/event-stream"
SESSION_HEADER = "mcp-session-id"
STATUS_ACCEPTED, STATUS_NOT_FOUND = 202, 404
CLOSE_SECONDS = 2.0
MAX_SESSION_CHARACTERS = 1000


class HttpChannel:
    """A session with a server at a URL."""

    has_changed_tools = False
    is_usable = True

    def __init__(
        self, url: str, headers: Sequence[tuple[str, str]], addresses: Iterable[str], max_bytes: int
    ) -> None:
        self._url, self._headers, self._max_bytes = url, list(headers), max_bytes
        self._network = network_of_url(url, addresses)
        self._session = ""

    def note_tools(self) -> None:
        """The tools are about to be listed."""
        self.has_changed_tools = False

    def exchange(
        self, wait: CallWait, record: dict[str, Any], number: int | None
    ) -> dict[str, Any] | None:
        """Send a message, and return the answer with its number; None if none is due."""
        with self._request(wait, "POST", wire_bytes(record)) as exchange:
            if exchange.status == STATUS_NOT_FOUND and self._session:
                raise SessionLost("the server has forgotten the session")
            if exchange.status >= 300:
                text = shown_lines(error_text(exchange.body()), MAX_MESSAGE_CHARACTERS)
                raise CommandFailure(f"HTTP {exchange.status}{f': {text}' if text else ''}")
            session = exchange.header(SESSION_HEADER)
            if session.isprintable() and len(session) <= MAX_SESSION_CHARACTERS:
                self._session = session or self._session
            if number is None or exchange.status == STATUS_ACCEPTED:
                return None
            if exchange.header("content-type").startswith(EVENT_STREAM):
                return self._answer_among(
                    wait, event_data(exchange.pieces(), self._max_bytes), number
                )
            message = message_of_bytes(exchange.body())
            return message if message is not None and message.get("id") == number else {}

    def _answer_among(self, wait: CallWait, events: Iterator[bytes], number: int) -> dict[str, Any]:
        """Return the answer among the events of a stream."""
        for data in events:
            wait.tick()
            record = message_of_bytes(data)
            if record is None:
                continue
            if (answer := own_answer(record)) is not None:
                with self._request(wait, "POST", wire_bytes(answer)):
                    continue
            if record.get("method") == TOOLS_CHANGED:
                self.has_changed_tools = True
            elif record.get("id") == number:
                return record
        raise CommandFailure("the server ended its stream without an answer")

    def _request(self, wait: CallWait, method: str, content: bytes | None) -> HttpExchange:
        headers = [
            ("Accept", f"application/json, {EVENT_STREAM}"),
            ("Content-Type", "application/json"),
            ("MCP-Protocol-Version", PROTOCOL_VERSION),
            *([(SESSION_HEADER, self._session)] if self._session else []),
            *self._headers,
        ]
        return HttpExchange(
            wait, self._network, method, self._url, headers, content, self._max_bytes
        )

    def close(self) -> None:
        """End the session, if the server can be reached soon."""
        if not self._session:
            return
        wait = CallWait(Budget(Limits(seconds=CLOSE_SECONDS)), CLOSE_SECONDS)
        try:
            with self._request(wait, "DELETE", None):
                self._session = ""
        except (CommandFailure, LimitReached):
            self._session = ""  # the server ends it by itself


def event_data(pieces: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    """Yield the data of each event of a stream of server-sent events."""
    data: list[bytes] = []
    size = 0
    for line in event_lines(pieces, max_bytes):
        if line.startswith(b"data:"):
            data.append(line[5:].removeprefix(b" "))
            size += len(line)
            check_message_size(size, max_bytes)
        elif not line and data:
            yield b"\n".join(data)
            data, size = [], 0


def event_lines(pieces: Iterable[bytes], max_bytes: int) -> Iterator[bytes]:
    """Yield the lines of a stream, each without its end; what no end follows is left out."""
    line = bytearray()
    for piece in pieces:
        first, *others = piece.split(b"\n")
        line += first
        for other in others:
            yield bytes(line).removesuffix(b"\r")
            line = bytearray(other)
        check_message_size(len(line), max_bytes)


def check_message_size(size: int, max_bytes: int) -> None:
    """Raise CommandFailure for a message that is too long."""
    if size > max_bytes:
        raise CommandFailure(f"the server sent a message of more than {max_bytes} bytes")


def error_text(body: bytes) -> str:
    """Return the message in the body of a refused request."""
    record = message_of_bytes(body) or {}
    error = record.get("error")
    if isinstance(error, dict) and isinstance(error.get("message"), str):
        return str(error["message"])
    return error if isinstance(error, str) else body.decode("utf-8", "replace")
