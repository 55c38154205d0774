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

from keysh.audit.chain import NO_HASH, ChainedLine, is_of_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    # The number and the hash of the last line, and where it ends.
    Position: TypeAlias = tuple[int, str, int]

MAX_LINE_BYTES = 1 << 20  # read back from the end of a file; records are far shorter
NEW_FILE_MODE = 0o600


class AuditFile:
    """A file that is open for appending lines.

    `position` is the end of the chain, `damage` what was wrong with the end of the file when it was
    opened, or "".
    """

    __slots__ = ("_fd", "_has_ended_line", "_is_regular", "_is_shared", "_unsure", "damage", "path",
                 "position")  # fmt: skip

    def __init__(self, path: str) -> None:
        self.path = path
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOCTTY
        self._fd = os.open(path, flags, NEW_FILE_MODE)
        self._is_shared, self._has_ended_line = False, True
        self._unsure: Position | None = None  # the end after a write that may have failed
        self.damage, self.position = "", (0, NO_HASH, 0)
        try:
            self._is_regular = kinds.S_ISREG(os.fstat(self._fd).st_mode)
            if self._is_regular:
                self._lock_out_others()
                self._find_end()
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
        self._is_shared = self._is_regular

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write, too."""
        return self._is_shared

    def begin_line(self) -> Position:
        """Return the end of the chain, to which a line is about to be added.

        Where the file is shared this takes its lock, which `end_line` lets go.
        """
        if self._is_shared:
            fcntl.lockf(self._fd, fcntl.LOCK_EX)
        if self._is_shared or (self._is_regular and self._unsure is not None):
            self._settle()
        return self.position

    def end_line(self) -> None:
        """Let other processes write."""
        if self._is_shared:
            fcntl.lockf(self._fd, fcntl.LOCK_UN)

    def _settle(self) -> None:
        """Look where the file ends now, after a failure or a line of another process."""
        size, self._unsure = os.fstat(self._fd).st_size, None
        if size == self.position[2]:
            return
        line, rest = self._last_line(size)
        if rest and self._has_ended_line:  # a part of a line, of a write that has failed
            os.ftruncate(self._fd, size - len(rest))
            size -= len(rest)
        last = ChainedLine(line) if line else None
        if last is None or last.sequence < self.position[0]:
            raise OSError(EINVAL, "it was changed by somebody else", self.path)
        self.position, self._has_ended_line = (last.sequence, last.digest, size), True

    def append(self, line: bytes, sequence: int, digest: str) -> None:
        """Append a line, all of it or nothing; OSError if that is impossible."""
        data = line + b"\n" if self._has_ended_line else b"\n" + line + b"\n"
        end = self.position[2]
        after = (sequence, digest, end + len(data))
        # A limit may strike anywhere here: the next line finds out whether this one was written.
        self._unsure = after
        try:
            written = os.write(self._fd, data)
            while written < len(data):
                written += os.write(self._fd, data[written:])
        except OSError as error:
            error.filename = self.path
            if self._is_regular:
                os.ftruncate(self._fd, end)
            self._unsure = None
            raise
        self.position, self._has_ended_line = after, True
        self._unsure = None

    def close(self) -> None:
        """Close the file."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)
