"""RecordDelivery: makes records of events and gives them to their reader."""

from __future__ import annotations

from keysh.audit.record_texts import record_text, record_words
from keysh.interp.run.control_flow import LimitReached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from keysh.audit.chain import Fields
    from keysh.audit.event_reader import EventReader
    from keysh.interp.state.session import Session
    from keysh.interp.streams.streams import Writer

NANOSECONDS_PER_SECOND = 1_000_000_000


class RecordDelivery:
    """The way of records to a reader, and what becomes of one that cannot be delivered."""

    __slots__ = ("_broken", "_messages", "_note_error", "_session", "reader")

    def __init__(
        self,
        session: Session,
        reader: EventReader,
        note_error: Callable[[Exception], object] | None = None,
    ) -> None:
        """`note_error` keeps what a function of the host raises, for the result of the run."""
        self._session, self.reader = session, reader
        self._note_error = note_error or session.note_error
        self._broken = ""  # why a record of this run is missing that has to be there
        self._messages: Writer | None = None  # standard error, whatever scripts redirect

    def add(self, event: str, parent: int, fields: Mapping[str, object], span: int = 0) -> None:
        """Add a record. If that fails and has to succeed, the run ends: LimitReached."""
        time = self._session.clock() / NANOSECONDS_PER_SECOND
        record: dict[str, object] = {"seq": 0, "time": time, "event": event}
        if span:
            record["span"] = span
        record["parent"] = parent
        record.update(fields)
        self.write(record)

    def try_to_add(
        self, event: str, parent: int, fields: Mapping[str, object], span: int = 0
    ) -> None:
        """Add a record of something that is over; a failure ends the run at the next one."""
        try:  # noqa: SIM105 - contextlib is slow to load
            self.add(event, parent, fields, span)
        except LimitReached:
            pass

    def write(self, record: Fields, *, waits: bool = False) -> None:
        """Deliver a record, likewise."""
        if self.reader.write(record, waits=waits):
            self.fail()
        elif self._broken:
            raise LimitReached("audit", self._broken, None)

    def fail(self) -> None:
        """Report that a record could not be delivered, or end the run."""
        reader = self.reader
        if reader.error is not None:
            self._note_error(reader.error)
        if reader.required:
            reason = f"{reader.failure}: {reader.place}"
            self._broken = self._broken or reason
            raise LimitReached("audit", reason, None)
        complaint = reader.complaint()
        if complaint and self._messages is not None:
            self._messages.write(f"keysh: {complaint}\n")

    def text(self, text: str) -> str:
        """Return a text for a record: without secrets, and not too long."""
        return record_text(self.reader.redactor, text)

    def words(self, name: str, words: Sequence[object]) -> list[str]:
        """Return the arguments of a command for a record."""
        return record_words(self.reader.redactor, name, words)
