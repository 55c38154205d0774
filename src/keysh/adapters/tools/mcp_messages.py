"""The messages of the Model Context Protocol: requests, answers, and the values of results."""

from __future__ import annotations

import json
import re

from keysh.adapters.tools.shell_names import MAX_MESSAGE_CHARACTERS, shown_lines
from keysh.interp.state.call import CommandFailure
from keysh.values import json_of, value_of_json
from keysh.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROTOCOL_VERSION = "2025-06-18"
METHOD_NOT_FOUND = -32601
MAX_ID_CHARACTERS = 1000  # of a request of the server
TOOLS_CHANGED = "notifications/tools/list_changed"
CLIENT = {
    "protocolVersion": PROTOCOL_VERSION,
    "capabilities": {},
    "clientInfo": {"name": "keysh", "version": __version__},
}
HALF_CHARACTER = re.compile(r"\\u[dD][89abcdefABCDEF]")  # or both of them
WRAPPED_KEYS = {"result"}
JSON_TEXT_STARTS = ("{", "[")


class SessionLost(CommandFailure):
    """The server has forgotten the session; a new one may do."""


def request_record(number: int, method: str, params: dict[str, Any] | None) -> dict[str, Any]:
    """Return a request."""
    record: dict[str, Any] = {"jsonrpc": "2.0", "id": number, "method": method}
    return record if params is None else {**record, "params": params}


def notification_record(method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a notification."""
    record: dict[str, Any] = {"jsonrpc": "2.0", "method": method}
    return record if params is None else {**record, "params": params}


def wire_bytes(record: dict[str, Any]) -> bytes:
    """Return a message as a line of JSON."""
    return f"{json_of(record)}\n".encode("utf-8", "backslashreplace")


def message_of_bytes(data: bytes) -> dict[str, Any] | None:
    """Return a message; None for a line that is none."""
    try:
        text = data.decode()
        try:
            record = value_of_json(text)
        except ValueError:
            if HALF_CHARACTER.search(text) is None:
                return None
            record = value_of_json(whole_characters(text))
    except (ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) else None


def whole_characters(text: str) -> str:
    """Return JSON with U+FFFD for halves of characters, at which JavaScript may cut a text."""
    plain = json.dumps(json.loads(text), ensure_ascii=False)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def own_answer(record: dict[str, Any]) -> dict[str, Any] | None:
    """Return the answer to a request of the server, which may ask whether we are there."""
    number = record.get("id")
    is_text = isinstance(number, str) and len(number) <= MAX_ID_CHARACTERS
    if "method" not in record or not (is_text or isinstance(number, int)):
        return None
    answer = {"jsonrpc": "2.0", "id": number}
    if record["method"] == "ping":
        return {**answer, "result": {}}
    error = {"code": METHOD_NOT_FOUND, "message": "the client has no methods"}
    return {**answer, "error": error}


def result_of(record: dict[str, Any]) -> dict[str, Any]:
    """Return the result in an answer; raise CommandFailure with the error that is there instead."""
    result = record.get("result")
    if isinstance(result, dict):
        return result
    error = record.get("error")
    if not isinstance(error, dict):
        raise CommandFailure("the server answered with neither a result nor an error")
    message = shown_lines(error.get("message"), MAX_MESSAGE_CHARACTERS) or "an error"
    code = error.get("code")
    raise CommandFailure(f"{message} ({code})" if isinstance(code, int) else message)


def value_of_result(result: dict[str, Any]) -> object:
    """Return the value of a tool's result; raise CommandFailure if the tool has failed.

    It is the structured content, or a text, or the record or list that a text is the JSON of; other
    content is a list of records as the protocol has them. Servers in Python put what is no record
    into one with the only field `result`, which is taken out again.
    """
    content = result.get("content")
    parts = [one for one in content if isinstance(one, dict)] if isinstance(content, list) else []
    texts = [one["text"] for one in parts if isinstance(one.get("text"), str)]
    if result.get("isError") is True:
        text = shown_lines("\n".join(texts), MAX_MESSAGE_CHARACTERS)
        raise CommandFailure(text or "the tool failed without a message")
    structured = result.get("structuredContent")
    if isinstance(structured, dict) and structured.keys() == WRAPPED_KEYS:
        return structured["result"]
    if structured is not None:
        return structured
    if len(texts) < len(parts):
        return parts
    text = "\n".join(texts)
    if text.lstrip().startswith(JSON_TEXT_STARTS):
        try:
            return value_of_json(text)
        except ValueError:
            return text
    return text.removesuffix("\n")
