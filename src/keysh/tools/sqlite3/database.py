"""A database file, which SQLite holds in memory during a call.

    file -> bytes -> deserialize -> SQL -> serialize -> new file -> replaces the old one

SQLite itself opens no file: ATTACH and VACUUM INTO are refused, temporary data stays in memory, and
the bytes come from the shell's file system and return to it.
"""

from __future__ import annotations

import re
import sqlite3
from _thread import get_ident
from contextlib import suppress

from keysh.interp.run.watchdog import WATCHDOG
from keysh.process.memory_use import resident_bytes
from keysh.text.chunks import text_of_bytes
from keysh.tools.sqlite3.functions import replace_functions
from keysh.tools.sqlite3.held_values import largest_value, may_hold_many
from keysh.tools.sqlite3.repetition import MAX_TABLES, tables_of
from keysh.tools.sqlite3.searches import document_limit, search_refusal
from keysh.vfs.real_paths import real_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Mapping, Sequence
    from typing import Any, TypeAlias

    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

    Rows: TypeAlias = Generator[Sequence[Any], None, None]

MAX_DATABASE_BYTES = 256 << 20
MAX_VALUE_BYTES = 16 << 20  # of one value; functions of larger ones take too long
MAX_STATEMENT_BYTES = 1 << 20
MAX_EXPRESSION_DEPTH, MAX_COMPOUND_SELECTS = 500, 500
MAX_LIKE_PATTERN_BYTES = 100  # long patterns with many wildcards take very long
MAX_STATEMENT_MEMORY_BYTES = 1 << 30  # of one statement, including rows that are held
STEPS_PER_CHECK = 500  # instructions of SQLite's virtual machine between two checks of the limits
READ_CHUNK_BYTES = 1 << 20

# Views, triggers and tables that may compute values, and tables of full text.
COMPUTING = "type IN ('view', 'trigger') OR sql GLOB '*(*(*' OR sql GLOB 'CREATE VIRTUAL*'"
DEFINITIONS_QUERY = (
    f"SELECT type, name, sql FROM sqlite_schema WHERE {COMPUTING} "
    f"UNION ALL SELECT type, name, sql FROM sqlite_temp_schema WHERE {COMPUTING}"
)

JOURNAL_FIELD_END = 20  # the two bytes before it are the versions of the journal format
WAL_VERSIONS, ROLLBACK_VERSIONS = b"\2\2", b"\1\1"

# A VACUUM statement, after blanks and comments.
VACUUM_STATEMENT = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*vacuum\b", re.IGNORECASE | re.DOTALL)
ALLOWED_PRAGMAS = frozenset({
    "application_id", "auto_vacuum", "case_sensitive_like", "collation_list", "compile_options",
    "count_changes", "data_version", "database_list", "defer_foreign_keys", "encoding",
    "foreign_key_check", "foreign_key_list", "foreign_keys", "freelist_count",
    "full_column_names", "function_list", "ignore_check_constraints", "incremental_vacuum",
    "index_info", "index_list", "index_xinfo", "integrity_check", "journal_mode",
    "legacy_alter_table", "module_list", "optimize", "page_count", "pragma_list",
    "quick_check", "recursive_triggers", "reverse_unordered_selects",
    "secure_delete", "short_column_names", "synchronous", "table_info", "table_list",
    "table_xinfo", "user_version",
})  # fmt: skip
REFUSED_FUNCTIONS = {
    "load_extension": "extensions cannot be loaded here",
    "fts3_tokenizer": "addresses in memory are not told here",
    # They copy all that they have written at each match.
    "highlight": "it cannot be stopped here",
    "snippet": "it cannot be stopped here",
}
READ_ONLY_PRAGMAS = frozenset(
    {"cache_size", "page_size", "query_only", "schema_version", "temp_store"}
)


class DatabaseOpenError(Exception):
    """A database cannot be opened or replaced; the message says why."""


class Database:
    """One open database."""

    def __init__(self, sh: Call, name: str, *, is_readonly: bool) -> None:
        self._sh, self._name = sh, name
        self._path = ""  # "" for a database in memory
        self._original_stat: Stat | None = None  # None for a new file
        self._original_bytes, self._is_wal = b"", False
        # An exception of the shell, for which SQLite was interrupted.
        self._pending_stop: BaseException | None = None
        self._is_vacuum = False  # whether a VACUUM statement is running
        self._max_bytes = min(MAX_VALUE_BYTES, sh.max_value_bytes)
        self._memory = 0  # resident bytes of the process when the statement started
        self.refusal = ""  # why the authorizer denied a statement
        self._formatter = sqlite3.connect(":memory:", check_same_thread=False)
        self.connection = sqlite3.connect(
            ":memory:", isolation_level=None, check_same_thread=False, cached_statements=0
        )
        # Until its next check SQLite may compare for seconds.
        self._thread, self._outer_call = get_ident(), WATCHDOG.native_calls.get(get_ident())
        WATCHDOG.native_calls[self._thread] = self._interrupt
        try:
            if name not in ("", ":memory:"):
                self._read(is_readonly)
            self._set_up(is_readonly)
        except BaseException:
            self.close()
            raise

    def _read(self, is_readonly: bool) -> None:
        """Read the file; refuse it if a journal holds changes."""
        sh, name = self._sh, self._name
        cannot = f'unable to open database "{name}": unable to open database file'
        try:
            self._path = real_path(sh.fs, sh.path(name), "last")
            self._original_stat = sh.fs.stat(self._path)
        except FileNotFoundError:
            try:
                folder = sh.fs.stat(self._path.rpartition("/")[0] or "/")
            except OSError:
                raise DatabaseOpenError(cannot) from None
            if is_readonly or not self._path or not folder.is_directory:
                raise DatabaseOpenError(cannot) from None
            return
        except OSError:
            raise DatabaseOpenError(cannot) from None
        if not self._original_stat.is_file:
            raise DatabaseOpenError(cannot)
        if self._original_stat.size > MAX_DATABASE_BYTES:
            raise DatabaseOpenError(
                f'"{name}" is larger than {MAX_DATABASE_BYTES >> 20} MiB, the limit for a database'
            )
        for suffix in ("-wal", "-journal"):
            with suppress(OSError):
                if sh.fs.stat(f"{self._path}{suffix}").size:
                    raise DatabaseOpenError(
                        f'"{name}" is in use: {name}{suffix} has unsaved changes'
                    )
        try:
            with sh.fs.open(self._path) as stream:
                chunks = []
                while chunk := stream.read(READ_CHUNK_BYTES):
                    sh.tick()
                    chunks.append(chunk)
            self._original_bytes = b"".join(chunks)
        except OSError:
            raise DatabaseOpenError(cannot) from None
        if self._original_bytes:
            # A database in memory cannot use WAL; `save` restores the original versions.
            self._is_wal = (
                self._original_bytes[JOURNAL_FIELD_END - 2 : JOURNAL_FIELD_END] == WAL_VERSIONS
            )
            data = (
                with_journal_field(self._original_bytes, ROLLBACK_VERSIONS)
                if self._is_wal
                else self._original_bytes
            )
            self.connection.deserialize(data)

    def _set_up(self, is_readonly: bool) -> None:
        """Deny access to the machine, and set the limits."""
        connection = self.connection
        connection.text_factory = text_of_bytes
        connection.execute("PRAGMA temp_store = MEMORY")
        with suppress(sqlite3.DatabaseError):  # not a database; its first use reports that
            size = connection.execute("PRAGMA page_size").fetchone()[0]
            for schema in ("main", "temp"):
                connection.execute(f"PRAGMA {schema}.max_page_count = {MAX_DATABASE_BYTES // size}")
        if is_readonly:
            connection.execute("PRAGMA query_only = ON")
        max_bytes = self._max_bytes
        for limit, value in (
            (sqlite3.SQLITE_LIMIT_LENGTH, max_bytes),
            (sqlite3.SQLITE_LIMIT_SQL_LENGTH, MAX_STATEMENT_BYTES),
            (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, MAX_EXPRESSION_DEPTH),
            (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, MAX_COMPOUND_SELECTS),
            (sqlite3.SQLITE_LIMIT_ATTACHED, 1),  # VACUUM needs one
            (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, MAX_LIKE_PATTERN_BYTES),
            (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
        ):
            connection.setlimit(limit, value)
        replace_functions(connection, self._formatter, self._sh, max_bytes)
        connection.set_authorizer(self._authorize)
        connection.set_progress_handler(self._check_limits, STEPS_PER_CHECK)

    def _authorize(
        self,
        action: int,
        first: str | None,
        second: str | None,
        database: str | None,
        trigger: str | None,
    ) -> int:
        """Authorize an action of a statement; called by SQLite."""
        # VACUUM attaches an unnamed database, which temp_store keeps in memory.
        if action == sqlite3.SQLITE_ATTACH and not (self._is_vacuum and first == ""):
            self.refusal = "other databases cannot be opened here"
        elif action == sqlite3.SQLITE_FUNCTION and second in REFUSED_FUNCTIONS:
            self.refusal = REFUSED_FUNCTIONS[second]
        elif action == sqlite3.SQLITE_PRAGMA:
            name = (first or "").lower()
            if name not in ALLOWED_PRAGMAS and not (name in READ_ONLY_PRAGMAS and second is None):
                self.refusal = f"PRAGMA {name} cannot be set here"
        return sqlite3.SQLITE_DENY if self.refusal else sqlite3.SQLITE_OK

    def _check_limits(self) -> int:
        """Check the limits of the call; called by SQLite.

        SQLite sorts in memory and can only limit that for the whole process and permanently. So
        the memory of the process is checked, including all its threads.
        """
        try:
            self._sh.tick()
            if resident_bytes() - self._memory > MAX_STATEMENT_MEMORY_BYTES:
                limit = MAX_STATEMENT_MEMORY_BYTES >> 20
                raise sqlite3.OperationalError(
                    f"the statement needs more than {limit} MiB of memory"
                )
        except BaseException as stop:  # noqa: BLE001 - SQLite ends first, then it is raised
            self._pending_stop = stop
            return 1
        return 0

    def rows(
        self, statement: str, values: Sequence[object] | Mapping[str, object] = ()
    ) -> tuple[list[str], Rows]:
        """Run a statement; return its column names, if any, and its rows."""
        self.refusal, self._is_vacuum = "", VACUUM_STATEMENT.match(statement) is not None
        self._memory = resident_bytes()
        self._sh.tick()
        is_computing = self._check_repetition(statement)
        self._limit_values(statement, values, is_computing=is_computing)
        try:
            cursor = self.connection.execute(statement, values)
        except sqlite3.Error:
            self._raise_stop()
            raise
        names = [column[0] for column in cursor.description or ()]
        return names, self._fetch(cursor)

    def _check_repetition(self, statement: str) -> bool:
        """Refuse a statement whose views and common tables SQLite would copy too often.

        Return whether something in the database itself may compute values.
        """
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, self._max_bytes)
        try:
            definitions = self.connection.execute(DEFINITIONS_QUERY).fetchall()
        except sqlite3.Error:
            definitions = []
        views = {name: text for kind, name, text in definitions if kind == "view"}
        if tables_of(statement, views) > MAX_TABLES:
            raise sqlite3.OperationalError(
                f"the statement stands for more than {MAX_TABLES} tables"
            )
        return bool(definitions)

    def _limit_values(
        self,
        statement: str,
        values: Sequence[object] | Mapping[str, object],
        *,
        is_computing: bool,
    ) -> None:
        """Limit the size of values in a statement that may make many of them in one go."""
        if not (is_computing or may_hold_many(statement)):
            return
        try:
            program = self.connection.execute(f"EXPLAIN {statement}", values).fetchall()
        except sqlite3.Error:  # the statement itself reports it
            self._raise_stop()
            self.refusal = ""
            return
        refusal = search_refusal(program)
        if refusal:
            raise sqlite3.OperationalError(refusal)
        size = document_limit(program, largest_value(program, self._max_bytes))
        self.connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, size)

    def _fetch(self, cursor: sqlite3.Cursor) -> Rows:
        try:
            yield from cursor
        except sqlite3.Error:
            self._raise_stop()
            raise
        finally:
            cursor.close()

    def _raise_stop(self) -> None:
        """Raise the exception for which SQLite was interrupted."""
        stop, self._pending_stop = self._pending_stop, None
        if stop is not None:
            raise stop

    def can_prepare(self, statement: str) -> bool:
        """Whether a failed statement can be prepared, so that it failed while it ran."""
        try:
            self._check_repetition(statement)
            self.connection.execute(f"EXPLAIN {statement}").close()
        except sqlite3.Error:
            return False
        return True

    def number_text(self, value: float) -> str:
        """Return a number as SQLite's CAST converts it to text."""
        return str(self._formatter.execute("SELECT CAST(? AS TEXT)", (value,)).fetchone()[0])

    def exact_number_text(self, value: float) -> str:
        """Return a number with all its digits, as SQLite's shell prints it in SQL."""
        return str(self._formatter.execute("SELECT printf('%!.20g', ?)", (value,)).fetchone()[0])

    def save(self) -> None:
        """Write changes to a new file, which then replaces the old one."""
        connection = self.connection
        if connection.in_transaction:
            connection.rollback()
        if not self._path:
            return
        connection.set_authorizer(None)
        connection.set_progress_handler(None, 0)
        try:
            count = connection.execute("PRAGMA page_count").fetchone()[0]
            data = connection.serialize() if count else b""
        except sqlite3.DatabaseError:  # not a database
            return
        if self._is_wal:
            data = with_journal_field(data, WAL_VERSIONS)
        # SQLite creates an empty file at once.
        if data != self._original_bytes or self._original_stat is None:
            self._replace(data)

    def _replace(self, data: bytes) -> None:
        """Replace the file, unless someone else has changed it."""
        fs, folder = self._sh.fs, self._path.rpartition("/")[0]
        new = f"{folder}/.sqlite3-{self._sh.random.getrandbits(48):012x}"
        mode = 0o666 & ~self._sh.umask
        if self._original_stat is not None:
            mode = self._original_stat.mode & 0o7777
        try:
            with fs.open(new, "x", mode) as stream:
                stream.write(data)
            try:
                if not self._is_unchanged():
                    raise DatabaseOpenError(
                        f'"{self._name}" was changed by another process; nothing is saved'
                    )
                fs.set_mode(new, mode)
                fs.rename(new, self._path)
            except BaseException:
                fs.remove(new)
                raise
        except OSError as error:
            raise DatabaseOpenError(f'unable to save "{self._name}": {error.strerror}') from None

    def _is_unchanged(self) -> bool:
        """Whether the file is still the one that was read."""
        try:
            now = self._sh.fs.stat(self._path)
        except FileNotFoundError:
            return self._original_stat is None
        original = self._original_stat
        return original is not None and (now.inode, now.size, now.modified) == (
            original.inode, original.size, original.modified,
        )  # fmt: skip

    def _interrupt(self) -> None:
        """End the statement that runs; called by the watchdog, from its own thread."""
        with suppress(sqlite3.Error):
            self.connection.interrupt()

    def close(self) -> None:
        """Free the memory of SQLite."""
        if self._outer_call is None:
            WATCHDOG.native_calls.pop(self._thread, None)
        else:
            WATCHDOG.native_calls[self._thread] = self._outer_call
        self.connection.close()
        self._formatter.close()


def with_journal_field(data: bytes, mark: bytes) -> bytes:
    """Return a database with the given versions of the journal format."""
    return data[: JOURNAL_FIELD_END - 2] + mark + data[JOURNAL_FIELD_END:]
