"""EventReader: what gets the events of shells: an audit, the function of a host, or both."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.audit.chain import Fields
    from keysh.audit.redaction import Redactor


class EventReader:
    """What a trail asks of its reader.

    redactor     keeps secrets out of all that the trail writes
    digests      whether to tell the SHA-256 of each file that was read or written
    takes_text   whether the most frequent events may come as JSON, without their number
    failure      why the last event could not be delivered, or ""
    error        the exception of the host that is the reason
    required     whether a failure ends the run
    """

    __slots__ = ()

    redactor: Redactor
    digests: bool
    takes_text: bool
    failure: str
    required: bool
    error: Exception | None = None

    def new_span(self) -> int:
        """Return the number of a new span, which no other has."""
        raise NotImplementedError

    def write(self, fields: Fields, *, waits: bool = False) -> str:
        """Deliver an event, whose first field is for its number; return why that failed, or "".

        One that `waits` may be delivered together with the next one.
        """
        raise NotImplementedError

    @property
    def place(self) -> str:
        """Where events go, for messages."""
        raise NotImplementedError

    def complaint(self) -> str:
        """Return what standard error has to say of a failure; "" if it has said so."""
        raise NotImplementedError

    def begin_run(self) -> None:
        """A run of the host begins."""

    def write_head(self) -> str:
        """Tell the host how far the log goes; return why that failed, or ""."""
        return ""

    def share(self) -> None:
        """Expect a job in another process, which is about to be forked off."""

    def enter_process(self) -> None:
        """Go on in the process of a job."""

    def close(self) -> None:
        """No more events come."""
