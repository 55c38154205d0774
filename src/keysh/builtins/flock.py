"""flock - lock a file while a command runs."""

from __future__ import annotations

from time import monotonic

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.state.state_of_call import state_of
from keysh.interp.streams.file_locks import FileLocks, open_directory
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.gnu_quoting import message_name
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw
    from keysh.vfs.api import Access
    from keysh.vfs.stream import Stream

USAGE_STATUS, BAD_DESCRIPTOR_STATUS, NO_INPUT_STATUS = 64, 65, 66
NEW_FILE_MODE = 0o666
POLL_SECONDS = 0.01  # how often a lock that another one holds is tried again


@command(
    compatible="util-linux 2.38.1",
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False),
    ignored="-F, --no-fork; -o, --close",
)
def flock(
    sh: Call,
    *words: Raw,
    exclusive: bool = False,
    shared: bool = False,
    unlock: bool = False,
    nonblock: bool = False,
    timeout: float | None = None,
    conflict_exit_code: int = 1,
    verbose: bool = False,
) -> int:
    """Lock a file while a command runs, or lock an open descriptor.

    words ...                 the file or directory and the command with its
                              arguments, or -c and a line for sh; or the number of
                              a descriptor, which stays locked until it is closed
    -x, -e, --exclusive       a lock that nobody shares (default)
    -s, --shared              a lock that others may share
    -u, --unlock              remove a lock
    -n, --nonblock, --nb      fail if the lock cannot be had at once
    -w, --timeout, --wait SECONDS
                              fail if the lock cannot be had in this time
    -E, --conflict-exit-code NUM
                              the status of that failure, 1 by default
    --verbose                 report what happens

    A file of this machine is locked for programs too; any other file only within
    the shell, between its jobs.
    """
    del exclusive
    locks = shell_locks(sh)
    if not words:
        raise UsageFailure("requires file descriptor, file or directory" if sh.given
                           else "not enough arguments")  # fmt: skip
    name, *rest = words
    path = raw_texts([name])[0]
    request = LockRequest(sh, locks, is_shared=shared, seconds=0 if nonblock else timeout)
    request.status, request.is_verbose = conflict_exit_code, verbose
    if not rest:
        return lock_descriptor(sh, request, path, unlocks=unlock)
    command_words = command_after(rest)
    try:
        stream = open_lock_file(sh, path)
    except OSError as error:
        message = f"cannot open lock file {message_name(path)}: {os_error_text(error)}"
        raise sh.fail(message, NO_INPUT_STATUS) from None
    try:
        if not unlock and not request.take(stream):
            return request.status
        try:
            return sh.run(command_words)
        finally:
            locks.release(stream)
    finally:
        stream.close()


def open_lock_file(sh: Call, path: str) -> Any:
    """Open the file to lock, a new one if there is none, or the directory."""
    place = sh.path(path)
    if sh.is_directory(path):
        return open_directory(sh.fs, place)
    access: Access = "r" if sh.exists(path) else "a"
    return sh.fs.open(place, access, NEW_FILE_MODE & ~sh.umask)


def shell_locks(sh: Call) -> FileLocks:
    """Return the shell's locks."""
    session = state_of(sh).session
    if session.file_locks is None:
        session.file_locks = FileLocks()
    locks: FileLocks = session.file_locks
    return locks


def command_after(words: Sequence[object]) -> Sequence[object]:
    """Return the command to run; `-c LINE` is a line for sh."""
    if raw_texts(words[:1])[0] not in ("-c", "--command"):
        return words
    if len(words) != 2:
        raise UsageFailure("-c requires exactly one command argument")
    return ("sh", "-c", words[1])


def lock_descriptor(sh: Call, request: LockRequest, text: str, *, unlocks: bool) -> int:
    """Lock or unlock an open descriptor."""
    if not is_digits(text):
        raise sh.fail(f"bad file descriptor: '{text}'", USAGE_STATUS)
    descriptor = sh.descriptor(bounded_number(text))
    if descriptor is None or descriptor.stream is None:
        raise sh.fail(f"{text}: Bad file descriptor", BAD_DESCRIPTOR_STATUS)
    if unlocks:
        request.locks.release(descriptor.stream)
        return 0
    return 0 if request.take(descriptor.stream) else request.status


class LockRequest:
    """How a lock is wanted; `seconds` is None to wait as long as it takes."""

    __slots__ = ("_is_shared", "_seconds", "_sh", "is_verbose", "locks", "status")

    def __init__(
        self, sh: Call, locks: FileLocks, *, is_shared: bool, seconds: float | None
    ) -> None:
        self._sh, self.locks = sh, locks
        self._is_shared, self._seconds = is_shared, seconds
        self.status, self.is_verbose = 1, False

    def take(self, stream: Stream) -> bool:
        """Take the lock; return whether that was possible in time."""
        begin = monotonic()
        while not self.locks.take(stream, is_shared=self._is_shared):
            waited = monotonic() - begin
            if self._seconds is not None and waited >= self._seconds:
                if self.is_verbose:
                    self._sh.note("timeout while waiting to get lock" if self._seconds
                                  else "failed to get lock")  # fmt: skip
                return False
            if not self._sh.sleep(POLL_SECONDS):
                return False
        if self.is_verbose:
            self._sh.out.write(f"flock: getting lock took {monotonic() - begin:.6f} seconds\n")
        return True
