"""Verification: find the first line of an audit that was changed, lost, added or moved."""

from __future__ import annotations

from keysh.audit.audit_file import MAX_LINE_BYTES
from keysh.audit.chain import NO_HASH, ChainedLine, is_of_event
from keysh.audit.log_reader import record_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike


WRITER_EVENTS = (b"open", b"close", b"gap")
MAX_LOST_RECORDS = 10**18  # that a line can say


class Verification:
    """What the verification of a file has found.

    lines     how many lines are there, up to the first bad one
    lost      how many records could not be written, as the log itself says
    head      the number and the hash of the last good line
    bad_line  the number of the first bad line in the file, 0 if there is none
    reason    what is wrong with it, or ""
    """

    __module__ = "keysh"
    __slots__ = ("bad_line", "head", "lines", "lost", "reason")

    def __init__(self) -> None:
        self.lines, self.head = 0, (0, NO_HASH)
        self.bad_line, self.reason, self.lost = 0, "", 0

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.reason

    def refuse(self, line: int, reason: str) -> Verification:
        """Note what is wrong with a line; return self."""
        self.bad_line, self.reason = line, reason
        return self

    def __repr__(self) -> str:
        return f"<Verification line {self.bad_line}: {self.reason}>" if self.reason else "<ok>"


def verify_audit(path: str | PathLike[str], head: tuple[int, str] | None = None) -> Verification:
    """Verify the audit in a file; OSError if it cannot be read.

    `head` is the number and the hash of a line, known from elsewhere, that has to be in the file.
    """
    result = Verification()
    writers, sequence, digest, last = Writers(), 0, NO_HASH, b""
    with open(path, "rb") as file:
        while line := file.readline(MAX_LINE_BYTES):
            number = result.lines + 1
            if line[-1:] != b"\n":
                return result.refuse(number, "it is cut off")
            last = line[:-1]
            try:
                read = ChainedLine(last)
            except ValueError as error:
                return result.refuse(number, f"{error}: it was changed or added")
            if reason := fault_of(read, sequence, digest) or writers.fault_of(last):
                return result.refuse(number, reason)
            sequence, digest = read.sequence, read.digest
            if head is not None and sequence == head[0] and digest != head[1]:
                return result.refuse(number, "it is not the one that the head names")
            result.lines, result.head = number, (sequence, digest)
            result.lost = writers.lost
    if head is not None and sequence < head[0]:
        missing = f"lines {sequence + 1} to {head[0]} are missing at the end: the head names them"
        return result.refuse(result.lines, missing)
    if result.head == head:
        return result
    if not result.lines:
        return result.refuse(0, "there is no line")
    if not writers.are_closed:
        return result.refuse(
            result.lines,
            "the log is not closed: lines are missing at the end, or its writer was killed or "
            "still writes",
        )
    return result


class Writers:
    """Whether those who wrote the lines so far have closed the log.

    are_closed  whether the last line is a closing one, and whoever opened the log has closed it
    lost        how many records the writers say that they have lost
    """

    __slots__ = ("_has_closed", "_opener", "are_closed", "lost")

    def __init__(self) -> None:
        self._opener: object = None
        self.are_closed, self._has_closed, self.lost = True, True, 0

    def fault_of(self, line: bytes) -> str:
        """Take notice of a line; return what is wrong with its place, or ""."""
        event = next((one for one in WRITER_EVENTS if is_of_event(line, one)), b"")
        if not event:
            self.are_closed = False
            return ""
        # Somebody may have made the hash of any text.
        if (record := record_of(line)) is None:
            return "it is no record: it was changed or added"
        if event == b"open":
            was_closed, self.are_closed, self._has_closed = self.are_closed, False, False
            self._opener = record.get("pid")
            if not was_closed:
                return "the log was not closed before it: lines may be missing there"
        elif event == b"close":
            self._has_closed = self._has_closed or record.get("pid") == self._opener
            self.are_closed = self._has_closed
        else:
            self.are_closed = False
            lost = record.get("lost")
            if not (isinstance(lost, int) and 0 < lost <= MAX_LOST_RECORDS):
                return "it is no record: it does not say how many are lost"
            self.lost += lost
        return ""


def fault_of(line: ChainedLine, sequence: int, digest: str) -> str:
    """Return what is wrong with a line after the one with this number and hash, or ""."""
    if not line.is_intact:
        return "it was changed: its hash is not that of its text"
    expected = sequence + 1
    if line.sequence > expected:
        missing = line.sequence - expected
        lines = "a line is" if missing == 1 else f"{missing} lines are"
        return f"{lines} missing before it: its number is {line.sequence}, not {expected}"
    if line.sequence < expected:
        return f"it was moved or repeated: its number is {line.sequence}, not {expected}"
    if line.previous != digest:
        return "it does not follow the line before it: one of them was replaced"
    return ""
