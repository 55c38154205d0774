"""SessionStore: the session of a shell in a SQLite file, beside its files.

Every change of the session counts its `turn` up. A shell that finds another turn than its own when
a run begins takes over what another process has made of the session; the file is locked from then
on until the run is stored. So processes at one file take turns, run by run.
"""

from __future__ import annotations

import errno
import json

from keysh.diagnostics.exceptions import ImageError, KeyshError, failure
from keysh.interp.state.state import State
from keysh.shell.history.state_version import StateVersion
from keysh.shell.images.state_records import record_of_function, record_of_state
from keysh.shell.images.state_restoring import restore_state
from keysh.shell.store.run_start import RunStart
from keysh.shell.store.session_tables import (
    StoredSession,
    create_session,
    has_session,
    store_turn,
    stored_session,
    stored_turn,
    unusable,
)
from keysh.shell.store.state_differences import with_changes_of
from keysh.vfs.sqlite.filesystem import SqliteFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from keysh.interp.run.function import ShellFunction
    from keysh.interp.run.limits import Limits
    from keysh.vfs.api import FileSystem
    from keysh.vfs.memory.quota import Full

    T = TypeVar("T")

DAMAGED_IMAGE = "the image is damaged: "  # what is damaged here is a file


class SessionStore:
    """The session of one shell in a file.

    files     the file system in the same file
    dialect   the dialect of all texts of the shell that made the session; None if it had none
    is_new    whether the file has no session yet
    mounts_beside  what the host mounts beside the store, by mount point
    """

    __slots__ = (
        "_begins_anew", "_functions", "_record", "_start", "_turn", "dialect", "files", "is_new",
        "mounts_beside",
    )  # fmt: skip

    def __init__(
        self,
        path: str | os.PathLike[str],
        mounts_beside: Mapping[str, FileSystem],
        limits: Limits,
        full: Full,
    ) -> None:
        self.mounts_beside = mounts_beside
        self.files = SqliteFS(path, max_bytes=limits.file_bytes, max_files=limits.files, full=full)
        self.files.is_in_images = True
        self._functions: dict[ShellFunction, dict[str, Any]] = {}
        self._turn, self._record = -1, ""
        self._start: RunStart | None = None
        self._begins_anew = False
        database = self.files.database
        try:
            with database.reading(database.path):
                self.is_new = not has_session(database)
                self.dialect = None if self.is_new else stored_session(database).dialect
            if self.is_new and database.is_read_only:
                raise failure(errno.EROFS, database.path)
        except BaseException:
            self.files.close()
            raise

    def close(self) -> None:
        """Close the file."""
        self.files.close()

    # ------------------------------------------------------------ beginning

    def open(self, state: State, dialect: str | None, prepare: Callable[[bool], object]) -> None:
        """Give a new state what the session has; make a session of it if the file has none.

        `prepare` is called before a session is made, and told whether the file is new.
        """
        database = self.files.database
        if not self.is_new and not self._begins_anew:
            with database.reading(database.path):
                self._take_over(state, {})
            return
        database.begin_now(nothing_to_check)
        try:
            self.is_new = not has_session(database)  # another process may have been faster
            if self.is_new or self._begins_anew:
                prepare(self.is_new)
                self._make_session(state, dialect)
            else:
                self._take_over(state, {})
            self.files.commit()
        except BaseException:
            self._roll_back_files()
            raise
        self.is_new = self._begins_anew = False

    def begin_anew(self) -> None:
        """Let the next state that is opened be that of a new session; the files stay."""
        if self._start is not None:
            raise KeyshError("a run of this shell is in progress")
        self._begins_anew = True

    def _make_session(self, state: State, dialect: str | None) -> None:
        database = self.files.database
        record, age = self._recorded_state(state)
        turn = 0 if self.is_new else stored_turn(database) + 1
        with database.change(database.path):
            create_session(database, StoredSession(dialect, turn, age, record))
        self.dialect, self._turn, self._record = dialect, turn, record

    # ------------------------------------------------------------ runs

    def begin(self, state: State, check_wait: Callable[[], object]) -> None:
        """Lock the file for a run, and take over what other processes have stored."""
        database = self.files.database
        database.begin_now(check_wait)
        try:
            if stored_turn(database) != self._turn:
                self._take_over(state, json.loads(self._record))
            self._start = RunStart(state)
        except BaseException:
            self._roll_back_files()
            raise

    def commit(self, state: State, add_entry: Callable[[], object]) -> None:
        """Store a run: its files, the state and what `add_entry` adds, or nothing of it.

        OSError if that cannot be written, ImageError if the state cannot be recorded; then
        `take_back` makes everything what it was.
        """
        database = self.files.database
        record, age = self._recorded_state(state)
        with database.change(database.path):
            has_changed = record != self._record
            store_turn(database, self._turn + 1, age, record if has_changed else None)
            add_entry()
        self.files.commit()
        self._record = record
        self._turn += 1
        self._end_run()

    def take_back(self, state: State) -> None:
        """Make files and state what they were before the run, which was not stored."""
        start = self._start
        if start is None:
            return
        try:
            self._roll_back_files()
            if self._was_stored():  # an interrupt came just afterwards
                self._record = self._recorded_state(state)[0]
                self._turn += 1
                return
            start.restore(state)
        finally:
            self._end_run()

    def _was_stored(self) -> bool:
        database = self.files.database
        with database.reading(database.path):
            return stored_turn(database) == self._turn + 1

    def _end_run(self) -> None:
        start, self._start = self._start, None
        if start is not None:
            start.forget()

    def _roll_back_files(self) -> None:
        if self.files.database.is_explicit:
            self.files.rollback()

    # ------------------------------------------------------------ between runs

    def at_one_time(self, state: State, work: Callable[[], T]) -> T:
        """Do something with state and files while no other process changes them."""
        database = self.files.database
        if database.is_read_only:
            with database.reading(database.path):
                return work()
        database.begin_now(nothing_to_check)
        try:
            if stored_turn(database) != self._turn:
                self._take_over(state, json.loads(self._record))
            return work()
        finally:
            self.files.commit()

    # ------------------------------------------------------------ the state

    def _take_over(self, state: State, base: dict[str, Any]) -> None:
        """Set what is stored, and keep what the host has changed since `base` was stored."""
        database = self.files.database
        session = stored_session(database)
        try:
            record = json.loads(session.record)
            if base:
                mine = json.loads(self._recorded_state(state)[0])
                record = with_changes_of(record, base, mine)
            fresh = State(state.session, state.stdin, state.out, state.err)
            fresh.flags = state.flags
            restore_state(fresh, {**record, "age": session.age})
        except ImageError as error:
            raise unusable(database, str(error).removeprefix(DAMAGED_IMAGE)) from None
        except (TypeError, ValueError, RecursionError) as error:
            raise unusable(database, f"its state is damaged: {error}") from None
        StateVersion(fresh).put_into(state)
        self._turn, self._record = session.turn, session.record

    def _recorded_state(self, state: State) -> tuple[str, int]:
        """Return a state as JSON, and the time since `$SECONDS` began, which always differs."""
        try:
            record = record_of_state(state, self._record_of_function)
            age = record.pop("age")
            text = json.dumps(record, separators=(",", ":"), check_circular=False)
        except RecursionError:
            raise ImageError("a value is nested too deeply to be stored") from None
        if len(self._functions) > 2 * len(state.functions):
            for gone in self._functions.keys() - state.functions.values():
                del self._functions[gone]
        return text, age

    def _record_of_function(self, function: ShellFunction) -> dict[str, Any]:
        """Return the record of a function, for which its text is parsed again only once."""
        record = self._functions.get(function)
        if record is None:
            record = self._functions[function] = record_of_function(function)
        return record


def nothing_to_check() -> None:
    """Wait for another process as long as the file system does."""
