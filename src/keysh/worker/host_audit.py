"""HostAudit: in a worker, what stands for what reads events in the host: its audit, its function.

The secrets that the host knows are not here. What is written is redacted by its form and by the
names of variables here, and by the secrets there.
"""

from __future__ import annotations

from itertools import count

from keysh.audit.audit import Audit
from keysh.audit.redaction import Redactor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.worker.host_stubs import PeerOwner

HEAD_FIELDS = ("seq", "time", "event", "span", "parent")


class HostAudit(Audit):
    """Sends each record to the host, and waits until it is delivered."""

    __slots__ = ("_complaint", "_numbers", "_owner")

    def __init__(self, owner: PeerOwner, *, digests: bool) -> None:
        self._owner, self._numbers = owner, count(1)
        self.digests, self.required, self.takes_text = digests, False, False
        self.redactor = Redactor()
        self.failure = self.damage = self._complaint = ""

    def new_span(self) -> int:
        return next(self._numbers)

    def write(self, fields: dict[str, object] | str, *, waits: bool = False) -> str:
        assert isinstance(fields, dict)  # it takes no text
        message = {
            "event": fields["event"], "span": fields.get("span", 0), "parent": fields["parent"],
            "fields": {name: value for name, value in fields.items() if name not in HEAD_FIELDS},
        }  # fmt: skip
        return self._failure_of("audit", message)

    def write_head(self) -> str:
        return self._failure_of("audit head", {})

    def close(self) -> None:
        """Do nothing: the log is the host's."""

    @property
    def place(self) -> str:
        return "the host's audit"

    def complaint(self) -> str:
        return self._complaint

    def _failure_of(self, verb: str, message: dict[str, Any]) -> str:
        failure, said, is_required = self._owner.peer.request(verb, message)[0]
        self.failure, self._complaint, self.required = str(failure), str(said), bool(is_required)
        return self.failure
