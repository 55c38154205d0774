"""Requests of an OpenAPI operation: where each argument goes, and how it is written there."""

from __future__ import annotations

from urllib.parse import quote, urlencode

from keysh.interp.run.network import HEADER_VALUE
from keysh.interp.state.call import CommandFailure
from keysh.values import json_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.tools.remote_tool import RemoteTool

BODY = "body"
PATH_STEPS = ("", ".", "..")  # that would lead to another path
LIST_SEPARATORS = {"spaceDelimited": " ", "pipeDelimited": "|"}


class ParameterPlace:
    """Where an argument goes: `where` is path, query, header, cookie or body."""

    __slots__ = ("explodes", "is_json", "name", "style", "where")

    def __init__(
        self, where: str, name: str, style: str = "", explode: object = None, is_json: bool = False
    ) -> None:
        self.where, self.name, self.style, self.is_json = where, name, style, is_json
        is_form = where in ("query", "cookie") and style in ("", "form")
        self.explodes = explode if isinstance(explode, bool) else is_form


class Operation:
    """An operation: a tool, and how its arguments become a request.

    has_whole_body  the argument `body` is the body; else it is a record of several arguments
    """

    __slots__ = (
        "content_type", "has_whole_body", "method", "needs_body", "path", "places", "tool",
    )  # fmt: skip

    def __init__(
        self, tool: RemoteTool, method: str, path: str, places: Mapping[str, ParameterPlace],
        content_type: str, needs_body: bool, has_whole_body: bool,
    ) -> None:  # fmt: skip
        self.tool, self.method, self.path, self.places = tool, method, path, places
        self.content_type, self.needs_body = content_type, needs_body
        self.has_whole_body = has_whole_body

    def target(self, arguments: Mapping[str, Any]) -> str:
        """Return the path and the query of a request."""
        path, query = self.path, []
        for name, value in arguments.items():
            place = self.places[name]
            if place.where == "path":
                path = path.replace(f"{{{place.name}}}", path_text(place, value))
            elif place.where == "query":
                query += query_pairs(place, value)
        sent = "&".join(f"{url_text(name, '[]')}={url_text(text)}" for name, text in query)
        mark = "&" if "?" in path else "?"
        return f"{path}{mark}{sent}" if sent else path

    def headers(self, arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Return the headers of a request that come from its arguments."""
        found: list[tuple[str, str]] = []
        cookies: list[str] = []
        for name, value in arguments.items():
            place = self.places[name]
            if place.where == "header":
                found.append((place.name, header_text(name, simple_text(place, value))))
            elif place.where == "cookie":
                cookies.append(f"{place.name}={url_text(simple_text(place, value), '/')}")
        if cookies:
            found.append(("Cookie", "; ".join(cookies)))
        return found

    def content(self, arguments: Mapping[str, Any]) -> bytes | None:
        """Return the body of a request; None if it has none."""
        parts = {
            place.name: arguments[name]
            for name, place in self.places.items()
            if place.where == BODY and name in arguments
        }
        if not self.content_type or not (parts or self.needs_body):
            return None
        body = parts.get("body") if self.has_whole_body else parts
        if self.content_type.endswith("json"):
            text = json_of(body)
        elif isinstance(body, dict):
            pairs = {name: text_of(value) for name, value in body.items()}
            text = urlencode(pairs, encoding="utf-8", errors="surrogateescape")
        else:
            text = text_of(body)
        return text.encode("utf-8", "surrogateescape")


def url_text(text: str, safe: str = "") -> str:
    """Return a text as a URL has it, with some characters as they are; any bytes pass."""
    return quote(text, safe=safe, errors="surrogateescape")


def scalar_text(value: object) -> str:
    """Return a value as a parameter has it."""
    return "null" if value is None else text_of(value)


def simple_text(place: ParameterPlace, value: object) -> str:
    """Return a value in the simple style: items with commas between them."""
    if place.is_json:
        return json_of(value)
    if isinstance(value, list):
        return ",".join(map(scalar_text, value))
    if isinstance(value, dict):
        sign = "=" if place.explodes else ","
        return ",".join(f"{name}{sign}{scalar_text(item)}" for name, item in value.items())
    return scalar_text(value)


def path_text(place: ParameterPlace, value: object) -> str:
    """Return a value as a part of a path; CommandFailure for one that would change the path."""
    text = simple_text(place, value)
    if text in PATH_STEPS:
        raise CommandFailure(f"{place.name} must be a part of a path, but is '{text}'")
    return url_text(text, ",=")


def query_pairs(place: ParameterPlace, value: object) -> list[tuple[str, str]]:
    """Return the pairs of a query that a value becomes."""
    if place.is_json:
        return [(place.name, json_of(value))]
    if isinstance(value, list):
        if place.explodes:
            return [(place.name, scalar_text(item)) for item in value]
        separator = LIST_SEPARATORS.get(place.style, ",")
        return [(place.name, separator.join(map(scalar_text, value)))]
    if isinstance(value, dict):
        if place.style == "deepObject":
            return [(f"{place.name}[{key}]", scalar_text(item)) for key, item in value.items()]
        if place.explodes:
            return [(str(key), scalar_text(item)) for key, item in value.items()]
    return [(place.name, simple_text(place, value))]


def header_text(name: str, text: str) -> str:
    """Return the value of a header; CommandFailure for one that cannot be sent."""
    if not HEADER_VALUE.fullmatch(text):
        raise CommandFailure(
            f"{name} must be text of visible ASCII for a header, but is {text[:60]!r}"
        )
    return text
