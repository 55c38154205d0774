"""Open a database: connect, create or check its tables, and say why it cannot be opened."""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from urllib.parse import quote

from keysh.vfs.api import failure
from keysh.vfs.sqlite.schema import (
    REMOVED_TABLES,
    chunk_size,
    create_tables,
    is_empty,
    lacks_tables,
    require_tables,
)
from keysh.vfs.sqlite.sqlite_errors import os_error, result_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def connect(
    path: str, timeout: float, is_read_only: bool, *, has_writer: bool = False
) -> sqlite3.Connection:
    """Connect to a file; only `is_read_only` opens one that cannot be written.

    `has_writer` says that this process also writes to it.
    """
    uri = "file:" + quote(os.fsencode(os.path.abspath(path)))
    modes = ["mode=ro", "immutable=1"] if is_read_only else ["mode=rwc"]
    if is_read_only and (has_writer or os.path.exists(f"{path}-wal")):
        modes.pop()  # changes that are only in the log would be missing
    for mode in modes:
        connection = sqlite3.connect(
            f"{uri}?{mode}",
            timeout=timeout,
            isolation_level=None,
            check_same_thread=False,
            uri=True,
        )
        try:
            connection.execute("PRAGMA trusted_schema = OFF")
            is_empty(connection)  # the first access
        except sqlite3.Error:
            connection.close()
            # A directory that cannot be written has no room for the index of the log.
            if mode == modes[-1]:
                raise
        else:
            break
    return connection


def is_writable(path: str) -> bool:
    """Whether a file can be written or made."""
    has_ids = os.access in os.supports_effective_ids
    return not os.path.exists(path) or os.access(path, os.W_OK, effective_ids=has_ids)


def prepare(
    connection: sqlite3.Connection, timeout: float, synchronous: str, is_read_only: bool, now: int
) -> int:
    """Create or check the tables, set the modes, and return the size of chunks."""
    if not is_read_only:
        connection.execute(f"PRAGMA synchronous = {synchronous}")
        if is_empty(connection):
            use_log(connection, time.monotonic() + timeout)
            make_tables(connection, is_empty, now)
    require_tables(connection)
    size = chunk_size(connection)
    if not is_read_only:
        use_log(connection, time.monotonic() + timeout)  # not before the file is known to be ours
        if lacks_tables(connection):
            make_tables(connection, lacks_tables, now)
    connection.executescript(REMOVED_TABLES)
    return size


def make_tables(
    connection: sqlite3.Connection, is_needed: Callable[[sqlite3.Connection], bool], now: int
) -> None:
    """Create tables, unless another process has just done so."""
    connection.execute("BEGIN IMMEDIATE")
    with connection:
        if is_needed(connection):
            create_tables(connection, now)


def use_log(connection: sqlite3.Connection, deadline: float) -> None:
    """Write changes to a log (WAL) first, so that readers and a writer do not wait for another."""
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            # This statement does not wait for others, BEGIN does.
            if result_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")


def opening_error(error: sqlite3.Error, path: str, is_read_only: bool) -> OSError:
    """Return why a file cannot be opened, which SQLite does not say."""
    if result_code(error) != sqlite3.SQLITE_CANTOPEN:
        return os_error(error, (path,))
    if os.path.isdir(path):
        return failure(errno.EISDIR, path)
    try:
        os.stat(os.path.dirname(os.path.abspath(path)))
    except OSError as reason:
        return failure(reason.errno or errno.EIO, path)
    if is_read_only and not os.path.exists(path):
        return failure(errno.ENOENT, path)
    return failure(errno.EACCES, path)
