"""OpenAPI documents: their operations, as tools and as requests."""

from __future__ import annotations

import re

from keysh.adapters.tools.json_schema import JsonSchema
from keysh.adapters.tools.openapi_request import BODY, Operation, ParameterPlace
from keysh.adapters.tools.remote_tool import RemoteTool
from keysh.adapters.tools.shell_names import shown_lines
from keysh.interp.run.network import HEADER_NAME
from keysh.interp.state.call import CommandFailure
from keysh.values import value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
URL_VARIABLE = re.compile(r"\{([^{}]*)\}")
PLACES = ("path", "query", "header", "cookie")
# Headers that are no parameters: OpenAPI says so of the first three, the others frame the request.
OWN_HEADERS = (
    "accept", "content-type", "authorization",
    "connection", "content-length", "host", "transfer-encoding", "upgrade",
)  # fmt: skip
MAX_URL_CHARACTERS = 2000
FORM_TYPE = "application/x-www-form-urlencoded"
UNSUPPORTED_BODY = "multipart/"


def parse_document(text: str) -> dict[str, Any]:
    """Return a document that is written in JSON or YAML; raise ValueError for another."""
    try:
        document = value_of_json(text)
    except ValueError as error:
        if text.lstrip().startswith("{"):
            raise ValueError(f"the document is not JSON: {error}") from None
        document = yaml_document(text)
    return checked_document(document)


def yaml_document(text: str) -> object:
    """Return a document in YAML."""
    try:
        from keysh.tools.fromyaml.documents import documents  # noqa: PLC0415 - few documents are YAML
    except ModuleNotFoundError as error:
        if error.name != "yaml":
            raise
        raise ValueError("documents in YAML need a package: pip install 'keysh[yaml]'") from None
    try:
        return next(documents(text, lambda: None), None)
    except ValueError as error:
        raise ValueError(f"the document is neither JSON nor YAML: {str(error)[:200]}") from None


def checked_document(document: object) -> dict[str, Any]:
    """Return a document; raise ValueError for what is none of OpenAPI 3."""
    if not isinstance(document, dict) or not isinstance(document.get("paths"), dict):
        raise ValueError("the document must be a record with paths")
    version = document.get("openapi")
    if not isinstance(version, str) or not version.startswith("3."):
        raise ValueError(f"the document must be of OpenAPI 3, but is of {str(version)[:40]}")
    return document


def base_of_servers(document: Mapping[str, Any]) -> str:
    """Return the URL of the first server of a document; it may be relative. ValueError if long."""
    servers = document.get("servers")
    server = servers[0] if isinstance(servers, list) and servers else {}
    url = server.get("url") if isinstance(server, dict) else None
    if not isinstance(url, str):
        return "/"
    if len(url) > MAX_URL_CHARACTERS:
        raise ValueError("the URL of the server in the document is too long")
    variables = server.get("variables")
    known = variables if isinstance(variables, dict) else {}

    def value_of(match: re.Match[str]) -> str:
        variable = known.get(match[1])
        text = str(variable.get("default", "")) if isinstance(variable, dict) else match[0]
        return text[:MAX_URL_CHARACTERS]  # which no server accepts

    return URL_VARIABLE.sub(value_of, url)


def operations_of(document: dict[str, Any], faults: list[str]) -> Iterator[Operation]:
    """Yield the operations of a document; what cannot be called is added to `faults`."""
    for path, item in document["paths"].items():
        if not str(path).startswith("/"):
            faults.append(f"the path {shown_lines(path, 100)!r} is left out: it must begin with /")
            continue
        keywords = JsonSchema(item, document).keywords()
        shared = keywords.get("parameters")
        for method in METHODS:
            operation = keywords.get(method)
            if isinstance(operation, dict):
                own = operation.get("parameters")
                parameters = [*list_of(shared), *list_of(own)]
                try:
                    yield operation_of(document, str(path), method, operation, parameters)
                except CommandFailure as failure:
                    faults.append(f"{method.upper()} {str(path)[:100]!r} is left out: {failure}")


def list_of(value: object) -> list[Any]:
    """Return a list; none for what is no list."""
    return value if isinstance(value, list) else []


def operation_of(
    document: dict[str, Any], path: str, method: str, operation: dict[str, Any], listing: list[Any]
) -> Operation:
    """Return one operation."""
    schemas: dict[str, JsonSchema] = {}
    places: dict[str, ParameterPlace] = {}
    required: set[str] = set()
    for (where, wire_name), parameter in described_parameters(document, listing).items():
        schema, is_json = schema_of_parameter(document, parameter)
        name = wire_name if wire_name not in places else f"{where}_{wire_name}"
        schemas[name] = with_description(schema, parameter.get("description"))
        places[name] = ParameterPlace(
            where, wire_name, str(parameter.get("style", "")), parameter.get("explode"), is_json
        )
        if parameter.get("required") is True or where == "path":
            required.add(name)
    body = JsonSchema(operation.get("requestBody"), document).keywords()
    content_type, whole = body_schema(document, body)
    is_whole = False
    if whole is not None:
        properties = whole.properties() if content_type.endswith(("json", FORM_TYPE)) else {}
        is_whole = not properties
        needed = whole.required_names() if body.get("required") is True else set()
        parts = {"body": whole} if is_whole else properties
        for wire_name, part in parts.items():
            name = wire_name if wire_name not in places else f"body_{wire_name}"
            schemas[name] = part
            places[name] = ParameterPlace(BODY, wire_name)
            if wire_name in needed or (is_whole and body.get("required") is True):
                required.add(name)
    own_name = operation.get("operationId")
    if isinstance(own_name, str) and own_name:
        name = own_name
    else:
        name = f"{method}{path.replace('/', '_').replace('{', '').replace('}', '')}"
    description = "\n".join(
        text for text in (operation.get("summary"), operation.get("description"))
        if isinstance(text, str) and text
    )  # fmt: skip
    tool = RemoteTool(name, description or f"{method.upper()} {path}", schemas, required)
    return Operation(
        tool, method.upper(), path, places, content_type, body.get("required") is True, is_whole
    )


def described_parameters(
    document: dict[str, Any], listing: list[Any]
) -> dict[tuple[str, str], Mapping[str, Any]]:
    """Return the parameters by place and name; those of the operation replace those of the path."""
    found: dict[tuple[str, str], Mapping[str, Any]] = {}
    for one in listing:
        parameter = JsonSchema(one, document).keywords()
        where, name = parameter.get("in"), parameter.get("name")
        if where not in PLACES or not isinstance(name, str):
            continue
        if where in ("header", "cookie") and not HEADER_NAME.fullmatch(name):
            raise CommandFailure(f"its {where} {shown_lines(name, 60)!r} cannot be sent")
        if where != "header" or name.lower() not in OWN_HEADERS:
            found[where, name] = parameter
    return {key: found[key] for where in PLACES for key in found if key[0] == where}


def schema_of_parameter(
    document: dict[str, Any], parameter: Mapping[str, Any]
) -> tuple[JsonSchema, bool]:
    """Return the schema of a parameter, and whether it is sent as JSON."""
    content = parameter.get("content")
    if isinstance(content, dict) and content:
        media = next(iter(content.values()))
        schema = media.get("schema") if isinstance(media, dict) else None
        return JsonSchema(schema, document), True
    return JsonSchema(parameter.get("schema", {"type": "string"}), document), False


def with_description(schema: JsonSchema, description: object) -> JsonSchema:
    """Return a schema with the description of its parameter."""
    if not isinstance(description, str) or not isinstance(schema.schema, dict):
        return schema
    return schema.at({**schema.schema, "description": description})


def body_schema(document: dict[str, Any], body: Mapping[str, Any]) -> tuple[str, JsonSchema | None]:
    """Return the type of the body to send, and its schema; JSON if the operation takes it."""
    content = body.get("content")
    types = [one for one in content if isinstance(one, str)] if isinstance(content, dict) else []
    if not isinstance(content, dict) or not types:
        return "", None
    ranked = sorted(types, key=lambda one: (not is_json_type(one), one != FORM_TYPE))
    chosen = ranked[0]
    if chosen.startswith(UNSUPPORTED_BODY):
        raise CommandFailure(f"its body is {chosen[:60]}, which cannot be sent")
    media = content[chosen]
    schema = media.get("schema") if isinstance(media, dict) else None
    sent = "application/json" if is_json_type(chosen) else chosen
    return sent, JsonSchema({} if schema is None else schema, document)


def is_json_type(content_type: str) -> bool:
    """Whether a type of content is JSON; `*/*` may be."""
    kind = content_type.partition(";")[0].strip().lower()
    return kind in ("application/json", "*/*") or kind.endswith("+json")
