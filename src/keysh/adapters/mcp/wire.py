"""The wire of the MCP server: lines of JSON on the standard streams, each judged before the SDK.

    client -> line -> fault_of -> SDK          a line that is no message is answered here
    client <- line <- SDK

Meanwhile descriptor 0 is empty and descriptor 1 is the standard error, so that no command writes
into the protocol or reads from it.
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import os

from mcp import types

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO, NoReturn

MAX_MESSAGE_BYTES = 64 << 20  # of one line
MAX_ID_BITS = 64
FIRST_FREE_DESCRIPTOR = 3
PARSE_ERROR, INVALID_REQUEST = -32700, -32600  # of JSON-RPC


class Fault(Exception):
    """A line is no message; `record` is the answer to the client."""

    def __init__(self, code: int, message: str, request_id: object = None) -> None:
        super().__init__(message)
        self.record = {
            "jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}
        }  # fmt: skip


class Wire:
    """The streams of a server, as the SDK uses them: lines to iterate over, and a place to write.

    A thread reads, so that the event loop goes on meanwhile.
    """

    def __init__(self) -> None:
        self._reader: BinaryIO = os.fdopen(moved_descriptor(0, os.O_RDONLY), "rb")
        self._writer: BinaryIO = os.fdopen(moved_descriptor(1, os.O_WRONLY), "wb")

    def __aiter__(self) -> Wire:
        return self

    async def __anext__(self) -> str:
        """Return the next message; answer lines that are none."""
        while line := await asyncio.to_thread(self._next_line):
            try:
                return message_of(line)
            except Fault as fault:
                await self.write(json.dumps(fault.record) + "\n")
                await self.flush()
        raise StopAsyncIteration

    def _next_line(self) -> bytes:
        """Return the next line that is not empty; only the beginning of one that is too long."""
        while line := self._reader.readline(MAX_MESSAGE_BYTES + 1):
            part = line
            while len(part) > MAX_MESSAGE_BYTES and not part.endswith(b"\n"):
                part = self._reader.readline(MAX_MESSAGE_BYTES + 1)
            if line.strip():
                return line
        return b""

    async def write(self, text: str) -> None:
        """Write a line."""
        self._writer.write(text.encode())

    async def flush(self) -> None:
        """Send what was written; a client that reads slowly does not hold the event loop up."""
        await asyncio.to_thread(self._writer.flush)


def moved_descriptor(number: int, mode: int) -> int:
    """Move a standard stream to another number; an empty one or stderr takes its place."""
    moved = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, FIRST_FREE_DESCRIPTOR)
    if mode == os.O_WRONLY:
        os.dup2(2, number)
        return moved
    null = os.open(os.devnull, mode)
    os.dup2(null, number)
    os.close(null)
    return moved


def message_of(line: bytes) -> str:
    """Return the text of a message; raise Fault for a line that is none."""
    if len(line) > MAX_MESSAGE_BYTES:
        raise Fault(PARSE_ERROR, f"the message is over {MAX_MESSAGE_BYTES} bytes")
    try:
        text = line.decode()
        record = json.loads(text, parse_constant=refuse_constant, object_pairs_hook=without_twins)
    except UnicodeDecodeError:
        raise Fault(PARSE_ERROR, "the message is not UTF-8") from None
    except RecursionError:
        raise Fault(PARSE_ERROR, "the message nests too deeply") from None
    except ValueError as error:
        raise Fault(PARSE_ERROR, f"the message is not JSON: {error}") from None
    if not isinstance(record, dict):
        raise Fault(INVALID_REQUEST, "the message is not an object")
    request_id = record.get("id")
    if "id" in record and not is_request_id(request_id):
        raise Fault(INVALID_REQUEST, f"id must be text or a whole number of {MAX_ID_BITS} bits")
    try:
        types.jsonrpc_message_adapter.validate_json(text, by_name=False)
    except ValueError:
        raise Fault(INVALID_REQUEST, "the message is none of JSON-RPC 2.0", request_id) from None
    return text


def is_request_id(value: object) -> bool:
    """Whether a request may have this id."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value.bit_length() < MAX_ID_BITS
    return isinstance(value, str) and value.isprintable()


def refuse_constant(name: str) -> NoReturn:
    """Refuse NaN and Infinity, which Python reads but JSON does not have."""
    raise ValueError(f"{name} is no value")


def without_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; raise ValueError if it has a key twice, of which readers differ."""
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("an object has a key twice")
    return record
