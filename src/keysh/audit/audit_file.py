"""AuditFile: the file of an audit, to which one writer appends, and where its chain goes on.

The writer holds the file with flock for as long as it is open. Jobs of the program keysh are
processes that go on writing beside it: from the first of them on each line is written under a lock
of its own, after a look at what the others have appended.
"""

from __future__ import annotations

import fcntl
import os
import stat as kinds
from errno import EINVAL, EWOULDBLOCK

from keysh.audit.chain import NO_HASH, ChainedLine, chained_line, is_of_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.audit.chain import Fields

    # The number and the hash of the last line, and where it ends.
    Position: TypeAlias = tuple[int, str, int]

MAX_LINE_BYTES = 1 << 20  # more than a record has: `trail` cuts words and texts
MAX_WAITING_BYTES = 4096  # of lines that wait for the next one
NEW_FILE_MODE = 0o600


class AuditFile:
    """A file that is open for appending lines.

    `position` is the end of the chain, with lines that wait to be written; `damage` what was wrong
    with the end of the file when it was opened, or ""; `dropped` the number of lines that had
    waited when a write failed, until somebody has counted them.
    """

    __slots__ = (
        "_fd", "_has_ended_line", "_is_regular", "_is_shared", "_unsure", "_waiting", "_written",
        "damage", "dropped", "path", "position",
    )  # fmt: skip

    def __init__(self, path: str) -> None:
        self.path = path
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOCTTY
        self._fd = os.open(path, flags, NEW_FILE_MODE)
        self._is_shared, self._has_ended_line = False, True
        self._unsure: Position | None = None  # the end after a write that may have failed
        self.damage, self.dropped, self._waiting = "", 0, b""
        self.position: Position = (0, NO_HASH, 0)
        try:
            self._is_regular = kinds.S_ISREG(os.fstat(self._fd).st_mode)
            if self._is_regular:
                self._lock_out_others()
                self._find_end()
            self._written = self.position  # the end of what is in the file
        except BaseException:
            os.close(self._fd)
            raise

    def _lock_out_others(self) -> None:
        try:
            fcntl.flock(self._fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno != EWOULDBLOCK:
                raise
            raise OSError(EWOULDBLOCK, "another audit writes to it", self.path) from None

    def _find_end(self) -> None:
        """Go on with the chain of what is there; OSError EINVAL for a file of another kind."""
        size = os.fstat(self._fd).st_size
        if not size:
            return
        line, rest = self._last_line(size)
        if rest:
            self.damage, self._has_ended_line = "its last line is incomplete", False
        if not line:
            raise OSError(EINVAL, "it is no audit: its end has no complete line", self.path)
        try:
            last = ChainedLine(line)
        except ValueError as error:
            raise OSError(EINVAL, f"it is no audit: of its last line, {error}", self.path) from None
        if not last.is_intact:
            self.damage = f"its last line, number {last.sequence}, was changed"
        elif not self.damage and not is_of_event(line, b"close"):
            self.damage = "its last writer has not closed it"
        self.position = (last.sequence, last.digest, size)

    def _last_line(self, size: int) -> tuple[bytes, bytes]:
        """Return the last complete line, and what follows it."""
        start = max(0, size - MAX_LINE_BYTES)
        data = os.pread(self._fd, size - start, start)
        whole, newline, rest = data.rpartition(b"\n")
        return whole.rpartition(b"\n")[2] if newline else b"", rest

    def share(self) -> None:
        """Expect processes that write here too: they are about to be forked off."""
        self.flush()
        self._is_shared = self._is_regular

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write, too."""
        return self._is_shared

    def append(self, fields: Fields, *, waits: bool = False) -> None:
        """Append a record as the next line, all of it or nothing; OSError if that is impossible.

        One that `waits` is written together with the next one, or by `flush`. If a write fails,
        `dropped` counts the lines that had waited.
        """
        if self._is_shared:
            self._append_beside_others(fields)
            return
        if self._unsure is not None and self._is_regular:
            self._settle()
        sequence, previous, end = self.position
        sequence += 1
        if fields.__class__ is not str:
            fields["seq"] = sequence  # type: ignore[index]
        line, digest = chained_line(sequence, fields, previous)
        if not self._has_ended_line:
            line = b"\n" + line
        after = (sequence, digest, end + len(line))
        if waits and len(self._waiting) < MAX_WAITING_BYTES:
            self._waiting, self.position, self._has_ended_line = self._waiting + line, after, True
        else:
            self._write(self._waiting + line, after)

    def _append_beside_others(self, fields: Fields) -> None:
        """Append a record to a file to which jobs in other processes write too."""
        fcntl.lockf(self._fd, fcntl.LOCK_EX)
        try:
            self._settle()
            sequence, previous, end = self.position
            if isinstance(fields, dict):
                fields["seq"] = sequence + 1
            line, digest = chained_line(sequence + 1, fields, previous)
            self._write(line, (sequence + 1, digest, end + len(line)))
        finally:
            fcntl.lockf(self._fd, fcntl.LOCK_UN)

    def flush(self) -> None:
        """Write the lines that wait; OSError if that is impossible."""
        if self._waiting:
            self._write(self._waiting, self.position)

    def _write(self, data: bytes, after: Position) -> None:
        """Write what leads to a position: the lines that have waited, and perhaps another one."""
        # A limit may strike anywhere here: the next line finds out whether this one was written.
        self._unsure = after
        try:
            written = os.write(self._fd, data)
            while written < len(data):
                written += os.write(self._fd, data[written:])
        except OSError as error:
            error.filename = self.path
            if self._is_regular:
                os.ftruncate(self._fd, self._written[2])
            self.dropped += self.position[0] - self._written[0]
            self.position, self._waiting, self._unsure = self._written, b"", None
            raise
        self.position = self._written = after
        self._waiting, self._has_ended_line = b"", True
        self._unsure = None

    def _settle(self) -> None:
        """Look where the file ends now, after a failure or a line of another process."""
        size, unsure = os.fstat(self._fd).st_size, self._unsure
        self._unsure = None
        if size == self._written[2]:
            self._note_end(self._written, unsure)
            return
        line, rest = self._last_line(size)
        if rest and self._has_ended_line:  # a part of a line, of a write that has failed
            os.ftruncate(self._fd, size - len(rest))
            size -= len(rest)
        last = ChainedLine(line) if line else None
        if last is None or last.sequence < self._written[0]:
            raise OSError(EINVAL, "it was changed by somebody else", self.path)
        self._note_end((last.sequence, last.digest, size), unsure)
        self._has_ended_line = True

    def _note_end(self, end: Position, unsure: Position | None) -> None:
        """Go on from an end of the chain, after a write that should have led to `unsure`."""
        if unsure is not None and unsure[0] > end[0]:
            self.dropped += unsure[0] - end[0]
        self.position = self._written = end
        self._waiting = b""

    def close(self) -> None:
        """Close the file."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
