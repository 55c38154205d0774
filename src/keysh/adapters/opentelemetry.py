"""OpenTelemetry: the events of shells as spans, by the conventions for CLI programs and HTTP.

    shell = Shell(on_event=span_events())

`pip install keysh[opentelemetry]`; docs/events.md has the attributes.
"""

from __future__ import annotations

from opentelemetry import trace
from opentelemetry.trace import SpanKind, Status, StatusCode

from keysh.audit.events import Events
from keysh.text.signal_names import signal_name
from keysh.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any, TypeAlias

    from opentelemetry.trace import Span, Tracer

    Event: TypeAlias = dict[str, Any]

OTHER_ERROR = "_OTHER"  # the conventions' own name for an error without one
FIRST_HTTP_ERROR = 400
# Fields of events that have an attribute of the conventions. The others are `keysh.FIELD`.
ATTRIBUTE_NAMES = {
    "path": "process.executable.path", "pid": "process.pid", "method": "http.request.method",
    "host": "server.address", "port": "server.port",
}  # fmt: skip
HEAD_FIELDS = frozenset(("seq", "time", "event", "span", "parent", "of", "ms"))
ARGUMENT_FIELDS = frozenset(("name", "args", "argv"))


def span_events(
    tracer: Tracer | None = None, *, secrets: Iterable[str] = (), patterns: Iterable[str] = ()
) -> Events:
    """Return what makes spans, for `Shell(on_event=…)`; `secrets` and `patterns` as for Events.

    Without a tracer the global provider makes one.
    """
    maker = SpanMaker(tracer or trace.get_tracer("keysh", __version__))
    return Events(maker.take, secrets=secrets, patterns=patterns)


class SpanMaker:
    """Makes a span of what lasts, and an event of its parent of what does not."""

    __slots__ = ("_spans", "_tracer")

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self._spans: dict[int, Span] = {}  # those that are open

    def take(self, event: Event) -> None:
        """Take an event of a shell."""
        if event["event"] == "end":
            span = self._spans.pop(event["span"], None)
            if span is not None:
                end_span(span, event)
            return
        parent = self._spans.get(event["parent"])
        if "span" in event:
            context = None if parent is None else trace.set_span_in_context(parent)
            self._spans[event["span"]] = self._tracer.start_span(
                span_name(event), context, span_kind(event), attributes_of(event)
            )
        elif parent is not None:
            parent.add_event(f"keysh.{event['event']}", attributes_of(event))


def span_name(event: Event) -> str:
    """Return the name of a span, of which there must not be too many."""
    match event["event"]:
        case "command":
            return executable_name(event["name"])
        case "program":
            return executable_name(event["argv"][0])
        case "request":
            return str(event["method"])
        case kind:
            return str(kind)


def span_kind(event: Event) -> SpanKind:
    """Return whether a span is about something outside this process."""
    is_outside = event["event"] in ("program", "request")
    return SpanKind.CLIENT if is_outside else SpanKind.INTERNAL


def attributes_of(event: Event) -> dict[str, Any]:
    """Return the fields of an event as attributes."""
    attributes: dict[str, Any] = {
        ATTRIBUTE_NAMES.get(field, f"keysh.{field}"): attribute_value(value)
        for field, value in event.items()
        if field not in HEAD_FIELDS and field not in ARGUMENT_FIELDS and value not in (None, "", [])
    }
    if event["event"] == "command":
        attributes["process.executable.name"] = executable_name(event["name"])
        attributes["process.command_args"] = [event["name"], *event["args"]]
    elif event["event"] == "program":
        attributes["process.executable.name"] = executable_name(event["argv"][0])
        attributes["process.command_args"] = event["argv"]
    elif "name" in event:
        attributes["keysh.name"] = event["name"]
    return attributes


def end_span(span: Span, event: Event) -> None:
    """End a span with the status that its end has."""
    status, error = event["status"], ""
    if event["of"] == "request":
        if status is not None:
            span.set_attribute("http.response.status_code", status)
        if status is None or status >= FIRST_HTTP_ERROR:
            error = OTHER_ERROR if status is None else str(status)
    else:
        if status is not None:
            span.set_attribute("process.exit.code", status)
        if status != 0:
            error = error_type(event)
    for field in ("rejected", "limit", "survivors", "stop", "bytes"):
        if event.get(field) not in (None, "", []):
            span.set_attribute(f"keysh.{field}", attribute_value(event[field]))
    if error:
        span.set_attribute("error.type", error)
        span.set_status(Status(StatusCode.ERROR))
    span.end()


def error_type(event: Event) -> str:
    """Return what class of error has ended a command, a program or a run."""
    for reason in (event.get("limit"), event.get("stop")):
        if reason:
            return str(reason)
    if event.get("signal"):
        return f"SIG{signal_name(event['signal'])}"
    return OTHER_ERROR if event["status"] is None else str(event["status"])


def executable_name(path: str) -> str:
    """Return the last part of a path."""
    return path.rstrip("/").rpartition("/")[2] or path


def attribute_value(value: Any) -> str | bool | int | float | Sequence[str]:
    """Return a value that an attribute may have."""
    if isinstance(value, str | bool | int | float):
        return value
    return [str(one) for one in value] if isinstance(value, list) else str(value)
