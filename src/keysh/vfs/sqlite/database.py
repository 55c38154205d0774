"""Database: the connection of a SqliteFS, its transactions, and SQLite's errors as OSErrors.

    autocommit   each `change` is a transaction: BEGIN IMMEDIATE … COMMIT
    begin()      the first `change` is preceded by BEGIN IMMEDIATE; each is a savepoint in it
    begin_now()  BEGIN IMMEDIATE: nobody else writes from here to the end
    commit()     COMMIT, if there was a change; what fails to be written is taken back

A transaction that only reads takes no lock, so that it works on a read-only file and keeps nobody
waiting.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import time
from _thread import RLock  # `threading` is slow to import

from keysh.vfs.api import LinkInPath, failure
from keysh.vfs.sqlite.connection import connect, is_writable, opening_error, prepare
from keysh.vfs.sqlite.schema import REMOVED_TABLES, ForeignDatabase
from keysh.vfs.sqlite.sqlite_errors import ERRNOS, os_error, result_code

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

LOCK_WAIT_MS = 50  # between two looks at whether a wait for another process may go on


class Database:
    """A connection that threads take turns with.

    `execute` and `executemany` are called within `change` or `reading`. `undo_count` tells whoever
    counts along that changes were taken back.
    """

    def __init__(
        self, path: str, timeout: float, synchronous: str, is_read_only: bool, now: int
    ) -> None:
        # Re-entrant, since garbage collection may run a host's finalizer with the lock held.
        self.lock = RLock()
        self.path, self._timeout = path, timeout
        self._place = os.path.abspath(path)  # a host may change its directory
        self.is_explicit = False  # between `begin` and its end
        self.undo_count = 0
        self._has_begun = False  # a change preceded by BEGIN IMMEDIATE
        self._loss = 0  # the errno for which SQLite has taken the transaction back by itself
        self._connection: sqlite3.Connection | None = None
        try:
            self.is_read_only = is_read_only = is_read_only or not is_writable(path)
            self._connection = connect(path, timeout, is_read_only)
            self.chunk_size = prepare(self._connection, timeout, synchronous, is_read_only, now)
        except (ForeignDatabase, sqlite3.DatabaseError) as error:
            self.close()
            if isinstance(error, ForeignDatabase) or result_code(error) in (
                sqlite3.SQLITE_NOTADB,
                sqlite3.SQLITE_CORRUPT,
            ):
                raise ValueError(f"{path} cannot be used: {error}") from error
            raise opening_error(error, path, is_read_only) from error
        except BaseException:
            self.close()
            raise
        self.execute = self._connection.execute
        self.executemany = self._connection.executemany

    def frozen_database(self) -> Database:
        """Return the database as it was committed last, for reading, whatever is committed later.

        It is another connection, in one transaction that reads. As long as it is open, SQLite
        writes all changes to the log, which grows.
        """
        view = object.__new__(Database)
        view.lock, view.path, view._timeout = RLock(), self.path, self._timeout
        view._place = self._place
        view.is_explicit = view._has_begun = False
        view.undo_count = view._loss = 0
        view.is_read_only, view.chunk_size = True, self.chunk_size
        view._connection = None
        try:
            view._connection = connection = connect(
                self._place, self._timeout, is_read_only=True, has_writer=True
            )
            connection.executescript(REMOVED_TABLES)
            connection.execute("BEGIN")
            connection.execute("SELECT 1 FROM fs_config").fetchone()  # the transaction begins here
        except sqlite3.Error as error:
            view.close()
            raise opening_error(error, self.path, is_read_only=True) from error
        view.execute, view.executemany = connection.execute, connection.executemany
        return view

    @property
    def connection(self) -> sqlite3.Connection:
        if self._connection is None:
            raise ValueError(f"the file system is closed: {self.path}")
        return self._connection

    @property
    def is_closed(self) -> bool:
        return self._connection is None

    def change(self, *names: str) -> Change:
        """Return a context in which everything is changed, or after an exception nothing."""
        return Change(self, names)

    def reading(self, *names: str) -> Reading:
        """Return a context in which all is read as at one time."""
        return Reading(self, names)

    def begin(self) -> None:
        with self.lock:
            if self.is_explicit:
                raise RuntimeError("a transaction has already begun")
            _ = self.connection
            self.is_explicit, self._has_begun, self._loss = True, False, 0

    def begin_now(self, check_wait: Callable[[], object]) -> None:
        """Begin, and lock the file at once; EBUSY if another process keeps it locked.

        `check_wait` is called again and again in the meantime; what it raises ends the wait.
        """
        give_up = time.monotonic() + self._timeout
        while True:
            with self.lock:
                self.begin()
                try:
                    self._lock_file()
                    self._has_begun = True
                    return
                except sqlite3.Error as error:
                    self.is_explicit = False
                    if result_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > give_up:
                        raise os_error(error, (self.path,)) from error
                except BaseException:
                    self.rollback()
                    raise
            check_wait()

    def _lock_file(self) -> None:
        """Begin a transaction that writes; wait for another process, but not for long."""
        connection = self.connection
        connection.execute(f"PRAGMA busy_timeout = {LOCK_WAIT_MS}")
        try:
            connection.execute("BEGIN IMMEDIATE")
        finally:
            connection.execute(f"PRAGMA busy_timeout = {int(self._timeout * 1000)}")

    def commit(self) -> None:
        with self.lock:
            connection = self._end()
            if self._loss:
                raise failure(self._loss, self.path)
            if not self._has_begun:
                return
            try:
                connection.execute("COMMIT")
            except BaseException as error:
                self._take_back()
                if isinstance(error, sqlite3.Error):
                    raise os_error(error, (self.path,)) from error
                raise

    def rollback(self) -> None:
        with self.lock:
            if self._end().in_transaction or self._has_begun:
                self._take_back()

    def close(self) -> None:
        with self.lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def __del__(self) -> None:
        self.close()

    def _end(self) -> sqlite3.Connection:
        if not self.is_explicit:
            raise RuntimeError("no transaction has begun")
        self.is_explicit = False
        return self.connection

    def _take_back(self) -> None:
        self.undo_count += 1
        try:
            if self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            raise os_error(error, (self.path,)) from error

    def start_change(self, names: tuple[str, ...]) -> bool:
        """Begin a transaction; return whether it is a savepoint in one."""
        connection = self.connection
        if self.is_explicit and not connection.in_transaction:
            if self._loss:
                raise failure(self._loss, *names)
            connection.execute("BEGIN IMMEDIATE")
            self._has_begun = True
        if connection.in_transaction:
            connection.execute("SAVEPOINT change")
            return True
        connection.execute("BEGIN IMMEDIATE")
        return False

    def undo_change(self, is_nested: bool, has_changes: bool, error: BaseException) -> None:
        """Take one change back, or note that SQLite has taken the whole transaction back."""
        connection = self.connection
        if not connection.in_transaction:
            if self.is_explicit:
                self._loss = ERRNOS.get(result_code(error), errno.EIO)
            has_changes = True
        elif is_nested:
            connection.execute("ROLLBACK TO change")
            connection.execute("RELEASE change")
        else:
            connection.execute("ROLLBACK")
        self.undo_count += has_changes


class Change:
    """The context of `Database.change`; a class, since a generator takes three times as long."""

    __slots__ = ("_before", "_database", "_is_nested", "_names")

    def __init__(self, database: Database, names: tuple[str, ...]) -> None:
        self._database, self._names = database, names

    def __enter__(self) -> None:
        database = self._database
        database.lock.acquire()
        try:
            self._is_nested = database.start_change(self._names)
            self._before = database.connection.total_changes
        except sqlite3.Error as error:
            database.lock.release()
            raise os_error(error, self._names) from error
        except BaseException:
            database.lock.release()
            raise

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        database = self._database
        try:
            if error is None:
                try:
                    database.execute("RELEASE change" if self._is_nested else "COMMIT")
                except BaseException as refusal:
                    self._undo(refusal)
                    raise
            else:
                self._undo(error)
                if isinstance(error, sqlite3.Error):
                    raise error
        except sqlite3.Error as refusal:
            raise os_error(refusal, self._names) from refusal
        finally:
            database.lock.release()

    def _undo(self, error: BaseException) -> None:
        database = self._database
        has_changes = (
            not isinstance(error, OSError | LinkInPath)
            or database.connection.total_changes != self._before
        )
        database.undo_change(self._is_nested, has_changes, error)


class Reading:
    """The context of `Database.reading`."""

    __slots__ = ("_database", "_is_nested", "_names")

    def __init__(self, database: Database, names: tuple[str, ...]) -> None:
        self._database, self._names = database, names

    def __enter__(self) -> None:
        database = self._database
        database.lock.acquire()
        try:
            self._is_nested = database.connection.in_transaction
            if not self._is_nested:
                database.execute("BEGIN")
        except BaseException:
            database.lock.release()
            raise

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        database = self._database
        try:
            if not self._is_nested and database.connection.in_transaction:
                database.execute("COMMIT" if error is None else "ROLLBACK")
            if isinstance(error, sqlite3.Error):
                raise error
        except sqlite3.Error as refusal:
            raise os_error(refusal, self._names) from refusal
        finally:
            database.lock.release()
