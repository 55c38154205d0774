"""StoredJournal: the history of a session, which is in its store and not in memory.

A run is added to the tables in the transaction that stores it. `undo`, `redo` and `checkout` read
the history, go back or forth, and store what has become of it; then nothing of it is kept, since
another process may be the next to run something.
"""

from __future__ import annotations

import json

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.state import State
from keysh.shell.history.entry import JournalEntry
from keysh.shell.history.run_changes import Changes
from keysh.shell.history.run_journal import RunJournal
from keysh.shell.history.state_version import StateVersion
from keysh.shell.run_result import ReachedLimit
from keysh.shell.store.session_tables import text_of_limit, unusable
from keysh.shell.store.stored_state import StoredState
from keysh.shell.store.version_tables import VersionTables
from keysh.vfs.sqlite.schema import loaded_text, stored_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal

    from keysh.shell.history.journal import Journal
    from keysh.shell.run_result import Result
    from keysh.shell.store.state_rows import StateRows
    from keysh.vfs.sqlite.database import Database

ENTRY_COLUMNS = """
    number, CAST(text AS BLOB), status, time, ms, reached, programs, reasons, moves, before, after,
    is_undone"""
# What no run of the history needs any more.
CLEANUPS = (
    "DELETE FROM keysh_change WHERE run NOT IN (SELECT number FROM keysh_run)",
    """DELETE FROM keysh_version WHERE id NOT IN (
       SELECT before FROM keysh_change WHERE before IS NOT NULL
       UNION SELECT after FROM keysh_change WHERE after IS NOT NULL)""",
    """DELETE FROM keysh_content WHERE id NOT IN (
       SELECT content FROM keysh_version WHERE content IS NOT NULL)""",
    """DELETE FROM keysh_part WHERE digest NOT IN (
       SELECT digest FROM keysh_content WHERE is_kept)""",
    "DELETE FROM keysh_file WHERE id NOT IN (SELECT file FROM keysh_version)",
    """DELETE FROM keysh_state WHERE id NOT IN (
       SELECT before FROM keysh_run UNION SELECT after FROM keysh_run
       UNION SELECT state FROM keysh_session)""",
)
KEPT_BYTES = """
    SELECT total(size) FROM (SELECT DISTINCT digest, size FROM keysh_content WHERE is_kept)"""
FORGOTTEN_SHARE = 8  # an eighth of the runs is forgotten at once, since each time takes a while


class StoredJournal(RunJournal):
    """The history of a session in a store."""

    __slots__ = ("_database", "_max_bytes", "_pending", "_states", "_tables")

    def __init__(
        self, state: State, journal: Journal, database: Database, states: StateRows
    ) -> None:
        super().__init__(state, journal)
        self._database, self._states = database, states
        self._max_bytes = journal.max_bytes
        self._pending: JournalEntry | None = None
        self._tables: VersionTables | None = None

    # ------------------------------------------------------------ a run

    def begin(self, text: str) -> None:
        with self._database.reading(self._database.path):
            row = self._database.execute("SELECT max(number) FROM keysh_run").fetchone()
        self._number = row[0] or 0
        self._pending = None
        super().begin(text)

    def end(self, result: Result | None) -> None:
        super().end(result)
        self._pending = self._entries.pop()

    @property
    def text(self) -> str:
        """What the last run was."""
        return self._text

    @property
    def has_run(self) -> bool:
        """Whether a run has ended that is not stored yet."""
        return self._pending is not None

    @property
    def state_after(self) -> StateVersion:
        """The state that the last run has left."""
        return self._latest_state

    def store_run(self, row_after: int) -> None:
        """Add the run that has ended to the tables, within a change."""
        entry, self._pending = self._pending, None
        assert entry is not None
        execute = self._database.execute
        changes = entry.changes.versions
        undone = execute("SELECT 1 FROM keysh_run WHERE is_undone LIMIT 1").fetchone()
        has_dropped = bool(undone and entry.changes)
        if has_dropped:
            execute("DELETE FROM keysh_run WHERE is_undone")
        execute(
            """INSERT INTO keysh_run VALUES (?,
               (SELECT coalesce(max(place), 0) + 1 FROM keysh_run), 0, CAST(? AS TEXT),
               ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                entry.number, stored_text(entry.text), entry.status, entry.time, entry.ms,
                text_of_limit(entry.limit), json.dumps(entry.programs),
                json.dumps(changes.reasons), json.dumps(changes.moves),
                self._states.row_of(entry.before, self._state), row_after,
            ),
        )  # fmt: skip
        if changes:
            self._new_tables().add_run(entry.number, changes)
        count = execute("SELECT count(*) FROM keysh_run").fetchone()[0]
        if count > self._max_runs:
            count -= self._forget_runs(count - self._max_runs + self._max_runs // FORGOTTEN_SHARE)
        elif has_dropped:
            self._clean_up()
        while changes and count > 1 and execute(KEPT_BYTES).fetchone()[0] > self._max_bytes:
            count -= self._forget_runs(1)

    def forget_run(self) -> None:
        """Drop the run that has ended, since it cannot be stored."""
        self._pending = None
        self._latest_state = StateVersion(self._state)

    def _forget_runs(self, count: int) -> int:
        """Forget the oldest runs; return how many."""
        execute = self._database.execute
        gone = execute(
            """DELETE FROM keysh_run WHERE number IN (
               SELECT number FROM keysh_run WHERE number < (SELECT max(number) FROM keysh_run)
               ORDER BY is_undone, place LIMIT ?)""",
            (count,),
        ).rowcount
        execute("UPDATE keysh_session SET has_forgotten = 1")
        self._clean_up()
        return gone

    def _clean_up(self) -> None:
        for cleanup in CLEANUPS:
            self._database.execute(cleanup)

    # ------------------------------------------------------------ the way back and forth

    @property
    def entries(self) -> list[JournalEntry]:
        self._load()
        entries = self._entries
        self._unload()
        return entries

    def undo(self, count: int = 1, *, is_partial: bool = False) -> list[JournalEntry]:
        return self._with_history(
            lambda: super(StoredJournal, self).undo(count, is_partial=is_partial)
        )

    def redo(self, count: int = 1) -> list[JournalEntry]:
        return self._with_history(lambda: super(StoredJournal, self).redo(count))

    def checkout(self, number: int, *, is_partial: bool = False) -> list[JournalEntry]:
        return self._with_history(
            lambda: super(StoredJournal, self).checkout(number, is_partial=is_partial)
        )

    def _with_history(self, act: Callable[[], list[JournalEntry]]) -> list[JournalEntry]:
        """Go back or forth in the history, which is read and stored again."""
        try:
            with self._database.change(self._database.path):
                self._load()
                entries = act()
                if entries:
                    self._store_places()
                return entries
        finally:
            self._unload()

    def _restore(self, group: Sequence[JournalEntry], to: Literal["before", "after"]) -> None:
        # A state that cannot be read shows before any file is changed.
        state = group[0].before if to == "before" else group[-1].after
        _ = state.variables
        super()._restore(group, to)

    def _new_tables(self) -> VersionTables:
        return VersionTables(self._database, self._state.fs)

    def _load(self) -> None:
        """Read the history; ImageError if it is damaged."""
        try:
            with self._database.reading(self._database.path):
                self._load_entries()
        except (TypeError, ValueError, KeyError, AttributeError) as error:
            raise unusable(self._database, f"its history is damaged: {error}") from None

    def _load_entries(self) -> None:
        self._tables = tables = self._new_tables()
        states: dict[int, StoredState] = {}
        self._entries, self._undone = [], []
        rows = self._database.execute(
            f"SELECT {ENTRY_COLUMNS} FROM keysh_run ORDER BY place"
        ).fetchall()
        for row in rows:
            number, text, status, time, ms, reached, programs, reasons, moves = row[:9]
            before, after = (
                states.setdefault(state, StoredState(state, self._loaded_state))
                for state in row[9:11]
            )
            versions = tables.changes_of(number, json.loads(reasons), json.loads(moves))
            entry = JournalEntry(
                number, loaded_text(text), time, Changes(versions, before, after), before, after,
                json.loads(programs),
            )  # fmt: skip
            entry.status, entry.ms = status, ms
            if reached is not None:
                kind, used, allowed, place = json.loads(reached)
                limit = LimitReached(kind, used, allowed)
                limit.place = place
                entry.limit = ReachedLimit(limit)
            (self._undone if row[11] else self._entries).append(entry)
        self._number = max((row[0] for row in rows), default=0)
        forgotten = self._database.execute("SELECT has_forgotten FROM keysh_session").fetchone()
        self._has_forgotten = bool(forgotten[0])

    def _unload(self) -> None:
        self._entries, self._undone, self._tables = [], [], None

    def _loaded_state(self, row: int) -> StateVersion:
        state = self._state
        with self._database.reading(self._database.path):
            return StateVersion(self._states.state_of(row, state))

    def _store_places(self) -> None:
        """Store where the entries are now, and what has become of files and states."""
        place = 0
        for is_undone, entries in ((0, self._entries), (1, self._undone)):
            for entry in entries:
                place += 1
                before, after = (
                    self._states.row_of(one, self._state) for one in (entry.before, entry.after)
                )
                self._database.execute(
                    """UPDATE keysh_run SET place = ?, is_undone = ?, before = ?, after = ?
                       WHERE number = ?""",
                    (place, is_undone, before, after, entry.number),
                )
        assert self._tables is not None
        self._tables.update()
