"""SQLite's errors as those of a file system."""

from __future__ import annotations

import errno
import sqlite3

from keysh.vfs.api import failure

# By SQLite's primary result codes. Any other is EIO.
ERRNOS = {
    sqlite3.SQLITE_FULL: errno.ENOSPC,
    sqlite3.SQLITE_READONLY: errno.EROFS,
    sqlite3.SQLITE_BUSY: errno.EBUSY,
    sqlite3.SQLITE_LOCKED: errno.EBUSY,
    sqlite3.SQLITE_TOOBIG: errno.EFBIG,
}
BUSY_MESSAGE = "Locked by another process"


def result_code(error: BaseException) -> int:
    """Return SQLite's primary result code; 0 if the error is not SQLite's own."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def os_error(error: sqlite3.Error, names: tuple[str, ...]) -> OSError:
    """Return an error of SQLite as one of a file system."""
    number = ERRNOS.get(result_code(error), errno.EIO)
    result = failure(number, *names)
    if number == errno.EBUSY:
        result.strerror = BUSY_MESSAGE
    return result
