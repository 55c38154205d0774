"""SessionStore: the session of a shell in a SQLite file, beside its files.

Every change of the session counts its `turn` up. A shell that finds another turn than its own when
a run begins takes over what another process has made of the session; the file is locked from then
on until the run is stored. So processes at one file take turns, run by run.
"""

from __future__ import annotations

import errno
import json
import time

from keysh.diagnostics.exceptions import KeyshError, failure
from keysh.shell.history.state_version import StateVersion
from keysh.shell.store.run_start import RunStart
from keysh.shell.store.session_tables import (
    add_state,
    create_session,
    has_session,
    store_turn,
    stored_session,
    stored_turn,
    unusable,
)
from keysh.shell.store.state_differences import with_changes_of
from keysh.shell.store.state_rows import PresentState, StateRows, age_of
from keysh.vfs.sqlite.filesystem import SqliteFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Callable, Mapping
    from typing import Any

    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.shell.run_result import Result
    from keysh.shell.store.stored_journal import StoredJournal
    from keysh.vfs.api import FileSystem
    from keysh.vfs.memory.quota import Full

TOOL_NAME = "keysh"


def nothing_to_check() -> None:
    """Wait for another process as long as the file system does."""


class SessionStore:
    """The session of one shell in a file.

    files     the file system in the same file
    dialect   the dialect of all texts of the shell that made the session; None if it had none
    is_new    whether the file has no session yet
    states    the states in the file
    mounts_beside  what the host mounts beside the store, by mount point
    """

    __slots__ = (
        "_begins_anew", "_changes_before", "_next", "_start", "_turn", "dialect", "files", "is_new",
        "mounts_beside", "states",
    )  # fmt: skip

    def __init__(
        self,
        path: str | os.PathLike[str],
        mounts_beside: Mapping[str, FileSystem],
        limits: Limits,
        full: Full,
        clock: Callable[[], int] | None,
    ) -> None:
        self.mounts_beside = mounts_beside
        self.files = SqliteFS(
            path, max_bytes=limits.file_bytes, max_files=limits.files, clock=clock, full=full
        )
        self.files.is_in_images = True
        self.states = StateRows(self.files.database)
        self._turn = -1
        self._next: PresentState | None = None  # after the commit
        self._changes_before = 0
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
        record = self.states.record_text(state)
        turn = 0 if self.is_new else stored_turn(database) + 1
        with database.change(database.path):
            row = create_session(database, dialect, turn, age_of(state), record)
        self.dialect, self._turn = dialect, turn
        self.states.present = PresentState(row, record, None)

    # ------------------------------------------------------------ runs

    def begin(self, state: State, check_wait: Callable[[], object] = nothing_to_check) -> None:
        """Lock the file, and take over what other processes have stored.

        What follows, a run or what a host does between two runs, ends with `commit` or `take_back`.
        """
        database = self.files.database
        database.begin_now(check_wait)
        try:
            with database.reading(database.path):
                if stored_turn(database) != self._turn:
                    self._take_over(state, json.loads(self.states.present.record))
            self._changes_before = database.connection.total_changes
            self._start = RunStart(state)
        except BaseException:
            self._roll_back_files()
            raise

    def commit(self, state: State, journal: StoredJournal, result: Result | None = None) -> None:
        """Store a run: its files, the state and its entry, or nothing of it.

        OSError if that cannot be written, ImageError if the state cannot be recorded; then
        `take_back` makes everything what it was.
        """
        database, present = self.files.database, self.states.present
        record = present.record if present.is_of(state) else self.states.record_text(state)
        has_changes = database.connection.total_changes != self._changes_before
        if has_changes or journal.has_run or record != present.record:
            with database.change(database.path):
                row = present.row if record == present.record else add_state(database, record)
                if journal.has_run:
                    journal.store_run(row)
                if result is not None:
                    self._add_tool_call(journal.text, result)
                store_turn(database, self._turn + 1, age_of(state), row)
            after = journal.state_after
            self._next = PresentState(row, record, after if after.is_of(state) else None)
        self.files.commit()
        self._end_run()

    def _add_tool_call(self, text: str, result: Result) -> None:
        seconds, limit = time.time(), result.limit
        self.files.record_tool_call(
            TOOL_NAME,
            {"text": text},
            result={"status": result.code},
            error=None if limit is None else str(limit),
            started_at=seconds - result.duration_ms / 1000,
            completed_at=seconds,
        )

    def take_back(self, state: State, journal: StoredJournal) -> None:
        """Make files and state what they were before the run, which is not stored."""
        start = self._start
        if start is None:
            return
        try:
            self._roll_back_files()
            if self._next is not None and not self._was_stored():
                self._next = None
            if self._next is None:  # else an interrupt came just after the commit
                start.restore(state)
                journal.forget_run()
        finally:
            self._end_run()

    def _was_stored(self) -> bool:
        database = self.files.database
        with database.reading(database.path):
            return stored_turn(database) == self._turn + 1

    def _end_run(self) -> None:
        start, self._start = self._start, None
        if self._next is not None:
            self.states.present, self._next = self._next, None
            self._turn += 1
        if start is not None:
            start.forget()

    def _roll_back_files(self) -> None:
        if self.files.database.is_explicit:
            self.files.rollback()

    def _take_over(self, state: State, base: dict[str, Any]) -> None:
        """Set what is stored, and keep what the host has changed since `base` was stored."""
        session = stored_session(self.files.database)
        try:
            record = json.loads(session.record)
            if base:
                record = with_changes_of(record, base, json.loads(self.states.record_text(state)))
        except (TypeError, ValueError, RecursionError) as error:
            raise unusable(self.files.database, f"its state is damaged: {error}") from None
        fresh = self.states.state_from(record, state)
        fresh.seconds_from = state.session.clock() - session.age
        StateVersion(fresh).put_into(state)
        self._turn = session.turn
        self.states.present = PresentState(session.state, session.record, None)
