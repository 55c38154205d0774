"""Events: what a host makes to be told of all that its shells do, as it happens.

    Shell(on_event=print)
    Shell(on_event=Events(print, only=["program", "request"], secrets=[key]))

The host's function is called on the thread of what happens, without a lock: what it does may take
as long as it likes, and events of two threads may arrive at once.
"""

from __future__ import annotations

from _thread import get_ident
from itertools import count

from keysh.audit.event_reader import EventReader
from keysh.audit.redaction import Redactor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import TypeAlias

    from keysh.audit.audit import Audit
    from keysh.audit.chain import Fields

    Event: TypeAlias = dict[str, object]

EVENT_KINDS = frozenset((
    "change", "command", "decision", "item", "job", "limit", "pipeline", "process_substitution",
    "program", "refusal", "request", "run", "subshell", "substitution",
))  # fmt: skip
MAX_ERROR_CHARACTERS = 200


class Events:
    """Tells a host of runs, commands, programs, changes, requests, limits and refusals.

    function  gets each event, a dict of its own
    only      the kinds that it gets; an `end` is of the kind that it ends. By default all
    secrets   texts that are redacted, also in URLs, hexadecimal digits and base64
    patterns  regular expressions that are redacted; a first group is the part that stays

    Several shells may share one, which numbers all their events and spans. What the function lets a
    shell do makes no events. An exception that it raises is reported, and the run goes on.
    """

    __module__ = "keysh"
    __slots__ = ("_feed",)

    def __init__(
        self,
        function: Callable[[Event], object],
        *,
        only: Iterable[str] | None = None,
        secrets: Iterable[str] = (),
        patterns: Iterable[str] = (),
    ) -> None:
        if not callable(function):
            raise TypeError(f"function must be a function, but is {function!r:.60}")
        if isinstance(only, str):
            raise TypeError(f"only must be a list of str; write only=[{only!r:.60}]")
        chosen = None if only is None else frozenset(only)
        for kind in sorted((chosen or frozenset()) - EVENT_KINDS):
            kinds = ", ".join(sorted(EVENT_KINDS))
            raise ValueError(f"only must be of {kinds}, but has {kind!r:.60}")
        self._feed = EventFeed(function, chosen, Redactor(secrets, patterns))

    def shell_feed(self) -> EventFeed:
        """Return what one shell writes to. Its failures are its own; the numbers are not."""
        return self._feed.twin()


class EventFeed(EventReader):
    """Gives the events of a shell to the function of a host."""

    __slots__ = (
        "_active", "_function", "_is_reported", "_numbers", "_only", "_spans", "digests", "error",
        "failure", "redactor", "required", "takes_text",
    )  # fmt: skip

    def __init__(
        self,
        function: Callable[[Event], object],
        only: frozenset[str] | None,
        redactor: Redactor,
    ) -> None:
        self._function, self._only, self.redactor = function, only, redactor
        self._numbers, self._spans = count(1), count(1)
        self._active: dict[int, bool] = {}  # threads on which the function is at work
        self.digests = self.takes_text = self.required = self._is_reported = False
        self.failure = ""
        self.error: Exception | None = None

    def twin(self) -> EventFeed:
        """Return one for another shell."""
        feed = EventFeed(self._function, self._only, self.redactor)
        feed._numbers, feed._spans, feed._active = self._numbers, self._spans, self._active
        return feed

    def new_span(self) -> int:
        return next(self._spans)

    def write(self, fields: Fields, *, waits: bool = False) -> str:
        assert isinstance(fields, dict)  # it takes no text
        only = self._only
        if only is not None and fields["of" if fields["event"] == "end" else "event"] not in only:
            return ""
        active, thread = self._active, get_ident()
        if thread in active:
            return ""
        # No call stands between these, nor before `del`: a limit may be raised after each.
        try:
            active[thread] = True
            fields["seq"] = next(self._numbers)
            self._function(fields)
            return ""
        except Exception as error:  # noqa: BLE001 - a function of the host may raise anything
            self.failure = failure_text(error)
            self.error = error
            return self.failure
        finally:
            del active[thread]

    def complaint(self) -> str:
        if self._is_reported:
            return ""
        self._is_reported = True
        return f"on_event: {' '.join(self.failure.split())}"

    @property
    def place(self) -> str:
        return "the host's function"

    def begin_run(self) -> None:
        self._is_reported, self.error = False, None


def failure_text(error: Exception) -> str:
    """Return what an exception of the host says, in one line."""
    from keysh.interp.run.exception_text import exception_text  # noqa: PLC0415 - rare

    return exception_text(error)[:MAX_ERROR_CHARACTERS]


class AuditAndEvents(EventReader):
    """An audit, which redacts and numbers the spans of both, and the function of a host."""

    __slots__ = (
        "_audit", "_events", "_failed", "digests", "error", "failure", "redactor", "required",
        "takes_text",
    )  # fmt: skip

    def __init__(self, audit: Audit, events: EventFeed) -> None:
        self._audit, self._events = audit, events
        self._failed: EventReader = audit
        self.redactor, self.digests, self.takes_text = audit.redactor, audit.digests, False
        self.failure, self.required = "", False
        self.error: Exception | None = None

    def new_span(self) -> int:
        return self._audit.new_span()

    def write(self, fields: Fields, *, waits: bool = False) -> str:
        assert isinstance(fields, dict)
        event = self._redacted(fields) if self._events.redactor.knows_secrets else {**fields}
        failure = self._events.write(event)
        if failure:
            self._note_failure(self._events)
        if refused := self._audit.write(fields, waits=waits):  # more may depend on it
            self._note_failure(self._audit)
        return refused or failure

    def _note_failure(self, reader: EventReader) -> None:
        self._failed, self.failure = reader, reader.failure
        self.required, self.error = reader.required, reader.error

    def _redacted(self, fields: Event) -> Event:
        """Return an event without what is secret for the function alone."""
        redact = self._events.redactor.redact
        return {
            name: redact(value) if isinstance(value, str)
            else [redact(word) if isinstance(word, str) else word for word in value]
            if isinstance(value, list) else value
            for name, value in fields.items()
        }  # fmt: skip

    def complaint(self) -> str:
        return self._failed.complaint()

    @property
    def place(self) -> str:
        return self._failed.place

    def begin_run(self) -> None:
        self._events.begin_run()

    def write_head(self) -> str:
        if failure := self._audit.write_head():
            self._note_failure(self._audit)
        return failure

    def share(self) -> None:
        self._audit.share()

    def enter_process(self) -> None:
        self._audit.enter_process()

    def close(self) -> None:
        self._audit.close()
