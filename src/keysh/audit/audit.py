"""Audit: what a host makes to have a log of all that its shells do.

with Audit("audit.jsonl", secrets=[key], required=True) as audit:
    Shell(audit=audit).run("make")
"""

from __future__ import annotations

import os
from _thread import RLock
from itertools import count
from time import time

from keysh.audit.audit_file import AuditFile
from keysh.audit.chain import NO_HASH, chained_line
from keysh.audit.event_reader import EventReader
from keysh.audit.redaction import Redactor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike
    from typing import TypeAlias

    from keysh.audit.chain import Fields

    Record: TypeAlias = dict[str, object]
    OnRecord: TypeAlias = Callable[[Record], object]
    Head: TypeAlias = str | PathLike[str] | Callable[[int, str], object]

MAX_REASON_CHARACTERS = 200
HEAD_MODE = 0o600
SPANS_PER_PROCESS = 10**9  # numbers of spans that one process may use


class ForkCount:
    """How many forks lead to this process; asking the system for its number takes 0.5 us."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0

    def note_fork(self) -> None:
        """Note that this process is the child of a fork."""
        self.count += 1


FORKS = ForkCount()
os.register_at_fork(after_in_child=FORKS.note_fork)


class Audit(EventReader):
    """A log of commands, programs, changes, requests, decisions, limits and runs.

    target    the file to append lines to, or a function that gets each record
    secrets   texts that are redacted, also in URLs, hexadecimal digits and base64
    patterns  regular expressions that are redacted; a first group is the part that stays
    digests   also note the SHA-256 of each file that was read or written
    required  end a run, before its next command, if a record cannot be delivered
    head      where the number and hash of the last line go after each run: a file, or a function

    Several shells may share one. A file has one writer at a time, who goes on with its chain;
    OSError if another one writes to it, or if it is no audit.
    """

    __module__ = "keysh"
    __slots__ = (
        "_file", "_first_failure", "_forks", "_head", "_is_closed", "_is_reported", "_lock",
        "_lost", "_on_record", "_pid", "_position", "_spans", "damage", "digests", "failure",
        "redactor", "required", "takes_text",
    )  # fmt: skip

    def __init__(
        self,
        target: str | PathLike[str] | OnRecord,
        *,
        secrets: Iterable[str] = (),
        patterns: Iterable[str] = (),
        digests: bool = False,
        required: bool = False,
        head: Head | None = None,
    ) -> None:
        self._is_closed = True  # until it has been opened
        self.redactor = Redactor(secrets, patterns)
        self.digests, self.required = digests, required
        self.failure, self._is_reported = "", False
        self._lock = RLock()  # a callback may run a script that is audited here as well
        self._lost, self._first_failure = 0, ""
        self._spans, self._pid, self._forks = count(1), os.getpid(), FORKS.count
        self._position = 0, NO_HASH  # of what was delivered to a function
        self._head = head_writer(head)
        self._file: AuditFile | None = None
        self.takes_text = False
        self._on_record: OnRecord | None = None
        self.damage = ""
        if callable(target):
            self._on_record = target
        elif isinstance(target, str) or hasattr(target, "__fspath__"):
            self._file = AuditFile(os.fspath(target))
            self.damage, self.takes_text = self._file.damage, True
        else:
            raise TypeError(f"target must be a path or a function, but is {target!r:.60}")
        self._is_closed = False
        opening: Record = {"seq": 0, "time": time(), "event": "open", "pid": self._pid}
        self.write({**opening, "after": self.damage} if self.damage else opening)
        self.write_head()

    # ------------------------------------------------------------ records

    def new_span(self) -> int:
        """Return the number of a new span, which no other has."""
        return next(self._spans)

    def write(self, fields: Fields, *, waits: bool = False) -> str:
        """Deliver a record, whose first field is for its number; return why that failed, or "".

        One that `waits` may be delivered together with the next one.
        """
        with self._lock:
            try:
                if self._is_closed:
                    raise ValueError("the audit is closed")
                if self._forks != FORKS.count:
                    raise ValueError("the audit belongs to another process")
                if self._lost:
                    gap = {"lost": self._lost, "reason": self._first_failure}
                    self._deliver({"seq": 0, "time": time(), "event": "gap", **gap})
                    self._lost, self._first_failure = 0, ""
                if self._file is None:
                    self._call_host(fields)  # type: ignore[arg-type]
                else:
                    self._file.append(fields, waits=waits)
                    if self._file.dropped:
                        self._count_interrupted()
            except Exception as error:  # noqa: BLE001 - a function of the host may raise anything
                self._note_failure(error, 1)
            else:
                self.failure = ""
            return self.failure

    def _deliver(self, fields: Record) -> None:
        if self._file is None:
            self._call_host(fields)
        else:
            self._file.append(fields)

    def _count_interrupted(self) -> None:
        """Count the records that were lost when a limit struck while the file was written."""
        assert self._file is not None
        self._lost, self._file.dropped = self._lost + self._file.dropped, 0
        self._first_failure = self._first_failure or "interrupted"

    def _note_failure(self, error: Exception, lost: int) -> None:
        """Count the records that were lost, with those that had waited."""
        if self._file is not None:
            lost += self._file.dropped
            self._file.dropped = 0
        self._lost += lost
        self.failure = reason_of(error)
        self._first_failure = self._first_failure or self.failure

    def flush(self) -> str:
        """Deliver the records that wait; return why that failed, or ""."""
        with self._lock:
            if self._file is not None and self._forks == FORKS.count and not self._is_closed:
                try:
                    self._file.flush()
                except OSError as error:
                    self._note_failure(error, 0)
                    return self.failure
        return ""

    def _call_host(self, record: Record) -> None:
        sequence, previous = self._position
        record["seq"] = sequence + 1
        digest = chained_line(sequence + 1, record, previous)[1]
        on_record, before = self._on_record, self._position
        assert on_record is not None
        self._position = sequence + 1, digest
        try:
            on_record({**record, "prev": previous, "hash": digest})
        except BaseException:
            if self._position == (sequence + 1, digest):  # else its own script has gone on
                self._position = before
            raise

    # ------------------------------------------------------------ processes, the end

    def share(self) -> None:
        """Expect a job in another process, which is about to be forked off."""
        if self._file is not None:
            self._file.share()

    def enter_process(self) -> None:
        """Go on in the process of a job."""
        if self._file is not None and self._file.is_shared:
            self._lock, self._pid, self._forks = RLock(), os.getpid(), FORKS.count
            self._spans = count(self._pid * SPANS_PER_PROCESS)

    @property
    def head(self) -> tuple[int, str]:
        """The number and the hash of the last line."""
        self.flush()
        return self._position if self._file is None else self._file.position[:2]

    def write_head(self) -> str:
        """Tell the host the number and the hash of the last line; return why that failed, or ""."""
        if self._head is None:
            return ""
        with self._lock:
            try:
                self._head(*self.head)
            except Exception as error:  # noqa: BLE001 - as above
                self.failure = f"head: {reason_of(error)}"
                return self.failure
        return ""

    def close(self) -> None:
        """Write the line that closes the log, and close the file.

        OSError if that fails and the audit is required.
        """
        with self._lock:
            if self._is_closed or self._forks != FORKS.count:
                return
            failure = (
                self.write({"seq": 0, "time": time(), "event": "close", "pid": self._pid})
                or self.write_head()
            )
            self._is_closed = True
            if self._file is not None:
                self._file.close()
        if failure and self.required:
            raise OSError(0, failure, self.place)

    @property
    def place(self) -> str:
        """Where the log is, for messages."""
        return "the host's function" if self._file is None else self._file.path

    def complaint(self) -> str:
        if self._is_reported:
            return ""
        self._is_reported = True
        return f"audit: {self.failure}: {self.place}; what follows may be missing there"

    def __enter__(self) -> Audit:
        return self

    def __exit__(self, *details: object) -> None:
        self.close()


def head_writer(head: Head | None) -> Callable[[int, str], object] | None:
    """Return the function that keeps the number and hash of the last line."""
    if head is None or callable(head):
        return head
    path = os.fspath(head)

    def write(sequence: int, digest: str) -> None:
        temporary = f"{path}.{os.getpid()}"
        fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, HEAD_MODE)
        try:
            try:
                os.write(fd, f"{sequence} {digest}\n".encode("ascii"))
            finally:
                os.close(fd)
            os.replace(temporary, path)
        except OSError:
            os.unlink(temporary)
            raise

    return write


def reason_of(error: Exception) -> str:
    """Return what an exception says, in one short line."""
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    text = said or type(error).__name__
    return " ".join(text.split())[:MAX_REASON_CHARACTERS]
