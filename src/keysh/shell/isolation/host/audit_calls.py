"""AuditCalls: what a worker says that its scripts do, for the host's audit and its `on_event`.

What a worker does within itself only it can tell: a record of that may be a lie, or be missing.
What leaves it, a program, a request, a file of the host, is recorded by this process, where it
happens. Numbers, times, spans and the chain of hashes are always the host's.
"""

from __future__ import annotations

from time import time

from keysh.audit.record_texts import MAX_TEXT_CHARACTERS, MAX_WORDS, MAX_WORDS_CHARACTERS
from keysh.audit.trail import Trail
from keysh.shell.isolation.frames import FrameError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.audit.event_reader import EventReader
    from keysh.interp.run.control_flow import LimitReached
    from keysh.interp.state.state import State
    from keysh.shell.isolation.host.host_bridge import HostBridge

# What a worker may record, with the fields of each. Programs and requests are the host's to record.
FIELDS = {
    "run": ("text", "cwd"), "command": ("name", "args", "place"), "pipeline": ("stages",),
    "substitution": (), "process_substitution": (), "subshell": (), "job": ("number",),
    "item": ("index", "attempt"), "refusal": ("code", "reason", "place"),
    "end": ("of", "status", "rejected", "limit", "ms"),
    "decision": ("allowed", "by", "kind", "subject", "reason"),
    "limit": ("kind", "used", "allowed", "place"),
    "change": ("action", "path", "to", "bytes", "sha256", "mode", "owner", "group", "kind",
               "name"),
}  # fmt: skip
MAX_OPEN_SPANS = 10_000
MAX_SHOWN_CHARACTERS = MAX_TEXT_CHARACTERS + 40  # with the number of those that are left out


class AuditCalls:
    """The events of one isolated shell."""

    def __init__(self, reader: EventReader, bridge: HostBridge) -> None:
        self._reader, self._bridge = reader, bridge
        # The host's numbers of the worker's open spans, and what each of them is.
        self._spans: dict[int, tuple[int, str]] = {}
        self.root = 0  # the span of the host's that runs belong to

    def begin_worker(self) -> None:
        """Forget the spans of a worker that is gone."""
        self._spans.clear()

    def options(self) -> dict[str, bool]:
        """Return what a worker needs to know."""
        return {"digests": self._reader.digests}

    def span_of(self, number: int) -> int:
        """Return the host's number of an open span."""
        return self._spans[number][0] if number in self._spans else self.root

    def give_trail(self, state: State, span: int) -> None:
        """Let what a state does in this process be recorded within a span of the worker."""
        state.session.trail = Trail(state.session, self._reader, self._bridge.note_error)
        state.span = self.span_of(span)

    def note_loss(self, limit: LimitReached) -> None:
        """Record that the host has ended the worker, or has lost it; its spans end with it."""
        fields = {"kind": limit.kind, "used": str(limit.used), "allowed": limit.allowed}
        self._write("limit", 0, {**fields, "place": ""})
        for own, event in reversed([*self._spans.values()]):
            self._write("end", 0, {"of": event, "status": None, "limit": limit.kind}, own)
        self._spans.clear()
        self._reader.write_head()

    # ------------------------------------------------------------ the verbs

    def record(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Deliver what the worker records; answer as `_answer` says."""
        match record:
            case {
                "event": str(event), "parent": int(parent), "span": int(span), "fields": dict(given)
            } if event in FIELDS and given.keys() <= {*FIELDS[event]}:  # fmt: skip
                pass
            case _:
                raise FrameError("a record of nothing that is recorded")
        fields = {name: self._shown(given, name) for name in FIELDS[event] if name in given}
        if event == "run" and parent not in self._spans:
            self._reader.begin_run()
        own = 0
        if event == "end":
            own, began = self._spans.pop(span, (0, "run"))
            fields["of"] = began  # whatever it says
        elif span:
            if span in self._spans or len(self._spans) >= MAX_OPEN_SPANS:
                raise FrameError("a span that is open already")
            own = self._reader.new_span()
            self._spans[span] = own, event
        return self._answer(self._write(event, self.span_of(parent), fields, own))

    def head(self, record: dict[str, Any], data: bytes) -> tuple[Any, bytes]:
        """Write the head of the log, at the end of a run; answer likewise."""
        return self._answer(self._reader.write_head())

    def _answer(self, failure: str) -> tuple[Any, bytes]:
        """Return why a delivery failed, what to say of it, and whether that ends the run."""
        reader = self._reader
        if not failure:
            return ["", "", False], b""
        if reader.error is not None:
            self._bridge.note_error(reader.error)
        return [failure, reader.complaint(), reader.required], b""

    # ------------------------------------------------------------ one record

    def _write(self, event: str, parent: int, fields: dict[str, object], span: int = 0) -> str:
        clock = self._bridge.options.clock
        now = clock() if callable(clock) else time() if clock is None else clock
        record: dict[str, object] = {"seq": 0, "time": float(now), "event": event}
        if span:
            record["span"] = span
        return self._reader.write({**record, "parent": parent, **fields})

    def _shown(self, given: dict[str, Any], name: str) -> object:
        """Return a field without secrets, which only the host knows; FrameError for no field."""
        value = given[name]
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, str):
            return self._text(value)
        if value.__class__ is not list or len(value) > MAX_WORDS + 1:
            raise FrameError("a field of a record that is none")
        if any(word.__class__ is not str for word in value):
            raise FrameError("a field of a record that is none")
        if sum(map(len, value)) > MAX_WORDS_CHARACTERS + 2 * MAX_SHOWN_CHARACTERS:
            raise FrameError("words in a record that are too long")
        command = given.get("name", value[0] if value else "")
        if command.__class__ is not str:
            raise FrameError("a command without a name")
        words = [self._text(word) for word in value]
        return self._reader.redactor.redact_words(command, words)

    def _text(self, text: str) -> str:
        """Return a text of the worker without secrets; it has cut what is long."""
        if len(text) > MAX_SHOWN_CHARACTERS:
            raise FrameError("a text in a record that is too long")
        redactor = self._reader.redactor
        if len(text) > MAX_TEXT_CHARACTERS:  # what a cut leaves of a secret is not shown
            longest = redactor.longest
            kept, rest = text[:MAX_TEXT_CHARACTERS], text[MAX_TEXT_CHARACTERS:]
            return redactor.redact(kept[: len(kept) - longest]) + rest if longest else text
        return text if redactor.shows((text,)) else redactor.redact(text)
