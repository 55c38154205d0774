"""OpenApi: the operations of an HTTP service, as commands of a shell."""

from __future__ import annotations

import os
from urllib.parse import urljoin, urlsplit

from keysh.adapters.tools.http_headers import headers_of
from keysh.adapters.tools.mcp_server import URL_STARTS, name_of_url
from keysh.adapters.tools.openapi_document import (
    base_of_servers,
    checked_document,
    is_json_type,
    operations_of,
    parse_document,
)
from keysh.adapters.tools.shell_names import MAX_MESSAGE_CHARACTERS, server_word, shown_lines
from keysh.adapters.tools.tool_connection import (
    CALL_SECONDS,
    MAX_ANSWER_BYTES,
    ToolConnection,
    ToolSource,
)
from keysh.diagnostics.exceptions import refuse
from keysh.interp.state.call import CommandFailure
from keysh.text.chunks import text_of_bytes
from keysh.values import value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from keysh.adapters.tools.call_wait import CallWait
    from keysh.adapters.tools.openapi_request import Operation
    from keysh.adapters.tools.remote_tool import RemoteTool

MESSAGE_KEYS = ("message", "detail", "error_description", "error", "title")
MAX_DOCUMENT_BYTES = 16 << 20


class OpenApi(ToolSource):
    """A service that an OpenAPI 3 document describes: its path or URL, or the document itself.

        Shell(tools=[OpenApi("petstore.json", base_url="https://api.example.org/v1", auth=token)])

    Without `base_url` it is the first server of the document. A document from a URL may name no
    server elsewhere. `headers` and `auth`, a token or a name and a password, go to the base URL and
    nowhere else; no script sees them.
    """

    def __init__(
        self,
        spec: str | os.PathLike[str] | dict[str, Any],
        *,
        name: str = "",
        base_url: str = "",
        headers: Mapping[str, str] | None = None,
        auth: str | tuple[str, str] | None = None,
        addresses: Iterable[str] = (),
        seconds: float = CALL_SECONDS,
        max_bytes: int = MAX_ANSWER_BYTES,
        shadows: bool = False,
        only: Iterable[str] | None = None,
    ) -> None:
        self.url, self.document = "", None
        if isinstance(spec, str) and spec.startswith(URL_STARTS):
            self.url = spec
            name = name or name_of_url(spec)
        elif isinstance(spec, dict):
            self.document = checked_document(spec)
            info = spec.get("info")
            title = info.get("title") if isinstance(info, dict) else None
            name = name or server_word(str(title or "").lower())
        elif isinstance(spec, str | os.PathLike):
            path = os.fspath(spec)
            with open(path, encoding="utf-8") as file:
                self.document = parse_document(file.read())
            name = name or server_word(os.path.basename(path))
        else:
            refuse("spec", "a path, a URL or a document", spec, "OpenApi('petstore.json')")
        super().__init__(name, seconds=seconds, max_bytes=max_bytes, shadows=shadows, only=only)
        self.base_url = base_url or ("" if self.document is None else own_base(self.document))
        self.headers, self.addresses = headers_of(headers, auth), tuple(addresses)
        if not self.url and not self.base_url:
            raise ValueError("the document names no server: give base_url='https://…'")
        http().network_of_url(self.base_url or self.url, self.addresses)  # a wrong URL shows now

    def open(self) -> ToolConnection:
        """Return the connection that a shell uses; nothing is reached before it is needed."""
        return OpenApiConnection(self)


class OpenApiConnection(ToolConnection):
    """The operations of a service; each call is a request of its own."""

    source: OpenApi

    def __init__(self, source: OpenApi) -> None:
        super().__init__(source, f"Operations of the service {source.name}.")
        self._operations: dict[str, Operation] = {}
        self._base = source.base_url

    def _list(self, wait: CallWait) -> Iterable[RemoteTool]:
        source = self.source
        document = source.document
        if document is None:
            document = self._fetched_document(wait)
            try:
                self._base = source.base_url or base_beside(source.url, document)
            except ValueError as error:
                raise CommandFailure(shown_lines(str(error), MAX_MESSAGE_CHARACTERS)) from None
        names: set[str] = set()
        for operation in operations_of(document, self.faults):
            name = operation.tool.name
            if source.offers(name):
                if name not in names:  # as the first tool of a name is the one that is offered
                    self._operations[name] = operation
                names.add(name)
                yield operation.tool

    def _fetched_document(self, wait: CallWait) -> dict[str, Any]:
        source = self.source
        network = http().network_of_url(source.url, source.addresses)
        is_here = not source.base_url or origin(source.url) == origin(source.base_url)
        headers = source.headers if is_here else []
        with http().HttpExchange(
            wait, network, "GET", source.url, headers, None, MAX_DOCUMENT_BYTES
        ) as exchange:
            body = exchange.body()
            if exchange.status != 200:
                raise CommandFailure(
                    f"the document cannot be had: {refusal_text(exchange.status, body)}"
                )
        try:
            return parse_document(body.decode())
        except ValueError as error:
            raise CommandFailure(shown_lines(str(error), MAX_MESSAGE_CHARACTERS)) from None

    def _call(self, wait: CallWait, tool: RemoteTool, arguments: dict[str, Any]) -> object:
        source, operation = self.source, self._operations[tool.name]
        content = operation.content(arguments)
        headers = [("Accept", "application/json, */*;q=0.5"), *operation.headers(arguments)]
        if content is not None:
            wait.check_size(len(content))
            headers.append(("Content-Type", operation.content_type))
        own = {name.lower() for name, _ in source.headers}
        headers = [pair for pair in headers if pair[0].lower() not in own] + source.headers
        url = f"{self._base.rstrip('/')}{operation.target(arguments)}"
        network = http().network_of_url(self._base, source.addresses)
        with http().HttpExchange(
            wait, network, operation.method, url, headers, content, source.max_bytes
        ) as exchange:
            body = exchange.body()
            if not 200 <= exchange.status < 300:
                raise CommandFailure(refusal_text(exchange.status, body))
            kind = exchange.header("content-type")
        wait.check_size(len(body))
        return value_of_body(body, kind)

    def _end(self) -> None:
        """Nothing lasts from one request to the next."""


def http() -> Any:
    """Return the module that sends requests."""
    from keysh.adapters.tools import http_exchange  # noqa: PLC0415 - brings in httpcore

    return http_exchange


def own_base(document: dict[str, Any]) -> str:
    """Return the whole URL of the server that a document of the host names; "" if it has none."""
    base = base_of_servers(document)
    return base if base.startswith(URL_STARTS) else ""


def base_beside(url: str, document: dict[str, Any]) -> str:
    """Return the server of a document from a URL, which must be where that is."""
    base = urljoin(url, base_of_servers(document))
    if origin(base) != origin(url):
        raise CommandFailure(
            f"the document names a server elsewhere, {shown_lines(base, 200)}: the host must allow "
            "it with base_url"
        )
    return base


def origin(url: str) -> tuple[str, str]:
    """Return the scheme and the host with its port."""
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def value_of_body(body: bytes, content_type: str) -> object:
    """Return the value of an answer: of JSON, or else its text; None without a body."""
    if not body:
        return None
    if is_json_type(content_type):
        try:
            return value_of_json(body.decode())
        except ValueError:
            raise CommandFailure("the server sent JSON that is none") from None
    return text_of_bytes(body).removesuffix("\n")


def refusal_text(status: int, body: bytes) -> str:
    """Return the message of an answer that is no success."""
    text = body.decode("utf-8", "replace")
    try:
        record = value_of_json(text)
    except ValueError:
        record = None
    if isinstance(record, dict):
        found = next((record[key] for key in MESSAGE_KEYS if record.get(key)), None)
        if isinstance(found, dict):
            found = found.get("message")
        text = found if isinstance(found, str) else text
    shown = shown_lines(text, MAX_MESSAGE_CHARACTERS)
    return f"HTTP {status}: {shown}" if shown else f"HTTP {status}"
