"""RunJournal: the runs of one shell, and the way back and forth between them.

    entries   [1] [2] [3] | [4] [5]   undone
                         now

`undo` moves the bar to the left, `redo` to the right. Each entry has the versions of the files and
of the state before and after its run. Several runs are taken back at once: of each path the oldest
version before them is restored, if the latest after them is there. So nothing is changed if
anything stands in the way.
"""

from __future__ import annotations

from _weakref import ref  # `weakref` is slow to import
from time import time

from keysh.diagnostics.exceptions import UndoRefused
from keysh.shell.history.entry import JournalEntry
from keysh.shell.history.run_changes import Changes
from keysh.shell.history.run_log import contents_of, log_move, log_of, log_run
from keysh.shell.history.state_changes import state_changes
from keysh.shell.history.state_version import StateVersion
from keysh.vfs.journal.changes import FileChanges
from keysh.vfs.journal.file_journal import FileJournal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Literal

    from keysh.interp.state.state import State
    from keysh.interp.streams.streams import Reader
    from keysh.shell.history.journal import Journal
    from keysh.shell.history.journal_log import JournalLog, LoggedRun
    from keysh.shell.history.state_changes import StateChange
    from keysh.shell.run_result import Result
    from keysh.vfs.journal.version import FileVersion


class RunJournal:
    """The history of one shell.

    stdin  the standard input of the run, by which a builtin knows that it is in no pipeline
    """

    __slots__ = (
        "_before", "_began", "_entries", "_files", "_has_forgotten", "_latest_state", "_log",
        "_max_runs", "_number", "_programs", "_segments", "_shell_state", "_text", "_undone",
        "__weakref__", "stdin",
    )  # fmt: skip

    def __init__(self, state: State, journal: Journal) -> None:
        # The session of the state has this object: with no cycle a shell is freed at once.
        self._shell_state = ref(state)
        self._max_runs = journal.max_runs
        self._log = None if journal.directory is None else log_of(journal.directory, journal)
        contents = contents_of(journal, room_maker(ref(self)))
        self._files = FileJournal(state.fs, contents, journal.watch)
        state.session.before_program = self._files.before_program
        self._entries: list[JournalEntry] = []
        self._undone: list[JournalEntry] = []
        self._number, self._has_forgotten = 0, False
        self._before = self._latest_state = StateVersion(state)
        self._text, self._began = "", 0.0
        self._programs: list[str] = []
        self._segments: list[FileChanges] = []
        self.stdin: Reader | None = None
        state.session.note_program = program_notes(ref(self))

    @property
    def _state(self) -> State:
        """The state of the shell, which outlives its history."""
        state = self._shell_state()
        assert state is not None
        return state

    # ------------------------------------------------------------ a run

    def begin(self, text: str) -> None:
        """Note how everything is before a run."""
        state = self._state
        self._text, self._began = text, time()
        self.stdin = state.stdin
        latest = self._latest_state
        self._before = latest if latest.is_of(state) else StateVersion(state)
        self._programs = []
        self._segments = []
        self._files.begin()

    def end(self, result: Result | None) -> None:
        """Add the run to the history, and its changes to its result."""
        changes = self._files.end(self._doubts())
        if self._segments:
            changes = joined_changes([*self._segments, changes])
        self._latest_state = after = StateVersion(self._state)
        self._number += 1
        entry = JournalEntry(
            self._number, self._text, self._began, Changes(changes, self._before, after),
            self._before, after, self._programs,
        )  # fmt: skip
        if result is not None:
            entry.status, entry.ms, entry.limit = result.code, result.duration_ms, result.limit
            result.changes = entry.changes
        if (trail := self._state.session.trail) is not None:
            trail.change_state(entry.changes.state)
        if self._undone and entry.changes:
            self._undone.clear()
        if self._log is not None:
            self._in_log(lambda log: log_run(log, entry, self._state))
            self._number = entry.number
        self._entries.append(entry)
        if len(self._entries) > self._max_runs:
            self._forget_oldest()

    def _doubts(self) -> list[str]:
        """Return why there may be more changes: jobs that still run."""
        return [f"{job} still runs" for job in self._running_jobs()]

    def _running_jobs(self) -> list[str]:
        session = self._state.session
        if not session.has_jobs:
            return []
        return [f"job {job.number} ({job.text})" for job in session.unfinished_jobs()]

    def note_program(self, path: str) -> None:
        """Note a real program that the run has started."""
        self._programs.append(path)

    def make_room(self, missing: int) -> None:
        """Forget the oldest runs until there is room for more contents."""
        contents = self._files.contents
        wanted = contents.bytes_used - missing
        while self._entries and contents.bytes_used > wanted:
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        del self._entries[0]
        self._has_forgotten = True

    # ------------------------------------------------------------ the way back and forth

    def continue_from(self, number: int) -> None:
        """Go on behind runs that are forgotten."""
        self._number, self._has_forgotten = number, True

    def find(self, number: int) -> JournalEntry | None:
        """Return a run by its number, also one that was taken back."""
        every = (*self._entries, *self._undone)
        return next((entry for entry in every if entry.number == number), None)

    @property
    def entries(self) -> list[JournalEntry]:
        """The runs that have not been taken back, the oldest first."""
        return self._entries.copy()

    def undo(self, count: int = 1, *, is_partial: bool = False) -> list[JournalEntry]:
        """Take back the last runs that changed something; return the entries, the oldest first."""
        require_positive(count)
        index = len(self._entries)
        for done in range(count):
            index = self._latest_change(index)
            if index < 0:
                raise UndoRefused(self._too_few(done))
        return self._go_back(index, is_partial)

    def redo(self, count: int = 1) -> list[JournalEntry]:
        """Repeat the effects of the runs that were taken back last; return the entries."""
        require_positive(count)
        end = 0
        for done in range(count):
            while end < len(self._undone) and not self._undone[end].changes:
                end += 1
            if end == len(self._undone):
                raise UndoRefused(f"{runs_are(done)} there to be repeated")
            end += 1
        return self._go_forth(end)

    def checkout(self, number: int, *, is_partial: bool = False) -> list[JournalEntry]:
        """Go to the moment after a run; 0 is the beginning. Return the entries on the way."""
        if number == 0:
            if self._has_forgotten:
                raise UndoRefused("the journal has forgotten the first runs")
            return self._go_back(0, is_partial)
        for index, entry in enumerate(self._entries):
            if entry.number == number:
                return self._go_back(index + 1, is_partial)
        for index, entry in enumerate(self._undone):
            if entry.number == number:
                return self._go_forth(index + 1)
        if 0 < number <= self._number:
            raise UndoRefused(f"the journal has forgotten run {number}")
        raise UndoRefused(f"there is no run {number}")

    def _latest_change(self, index: int) -> int:
        """Return the index of the last entry before one that changed something, or -1."""
        index -= 1
        while index >= 0 and not self._entries[index].changes:
            index -= 1
        return index

    def _too_few(self, count: int) -> str:
        """Say why there are not more runs to take back."""
        if self._has_forgotten:
            return f"{runs_are(count)} there to be taken back; the journal has forgotten older ones"
        return f"{runs_are(count)} there to be taken back"

    def _go_back(self, index: int, is_partial: bool) -> list[JournalEntry]:
        group = self._entries[index:]
        if not group:
            return []
        self._refuse_jobs()
        if not is_partial:
            for entry in reversed(group):
                refuse_incomplete(entry.number, entry.changes)
        self._restore(group, "before")
        # What the host has changed in the state since then is not lost: redo brings it back.
        group[-1].after = StateVersion(self._state)
        group[0].before.put_into(self._state)
        # To keep what it overwrites, the restoration may have forgotten the oldest runs.
        taken = {entry.number for entry in group}
        self._entries = [entry for entry in self._entries if entry.number not in taken]
        self._undone[:0] = group
        self._in_log(lambda log: log_move(log, group, self._state.fs, is_undone=True))
        return group

    def _go_forth(self, end: int) -> list[JournalEntry]:
        group = self._undone[:end]
        if not group:
            return []
        self._refuse_jobs()
        self._restore(group, "after")
        group[-1].after.put_into(self._state)
        self._undone[:end] = []
        self._entries += group
        self._in_log(lambda log: log_move(log, group, self._state.fs, is_undone=False))
        return group

    def _in_log(self, write: Callable[[JournalLog], object]) -> None:
        """Write to the log on the disk; if that fails, a message says so, and the shell goes on."""
        if self._log is None:
            return
        try:
            with self._log as log:
                write(log)
        except (OSError, UndoRefused) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            self._state.err.write(f"keysh: journal: {self._log.directory}: {reason}\n")

    def _refuse_jobs(self) -> None:
        """Raise UndoRefused while a job could change the same files."""
        for job in self._running_jobs():
            raise UndoRefused(f"{job} still runs")

    def _restore(self, group: Sequence[JournalEntry], to: Literal["before", "after"]) -> None:
        """Make the files what they were before a group of runs, or after it."""
        self._files.restore(joined_changes([entry.changes.versions for entry in group]), to)

    # ------------------------------------------------------------ from a command inside a run

    def from_inside(
        self, state: State, act: Callable[[], list[JournalEntry]]
    ) -> list[JournalEntry]:
        """Go back or forth in a run that has changed nothing so far; it goes on from there."""
        self._refuse_place(state)
        so_far = self._files.end()
        try:
            refuse_own_changes(so_far, state_changes(self._before, StateVersion(state)))
            dialect, status = state.dialect, state.status
            entries = act()
            state.dialect, state.status = dialect, status
            self._before = StateVersion(state)
        except BaseException:
            self._segments.append(so_far)
            raise
        finally:
            self._files.begin()
        return entries

    def _refuse_place(self, state: State) -> None:
        """Raise UndoRefused where the state is not the shell's own, or comes back by itself."""
        if state is not self._state or state.frames:
            raise UndoRefused("not in a subshell, a pipeline, a function or a sourced file")
        if state.temporary or self.stdin is None:
            raise UndoRefused("not with variables or a directory of its own")
        if state.stdin is not self.stdin:
            raise UndoRefused("not in a pipeline, nor with an input of its own")


def room_maker(journal: Callable[[], RunJournal | None]) -> Callable[[int], None]:
    """Return what a store of contents calls if it is full."""

    def make_room(missing: int) -> None:
        found = journal()
        if found is not None:
            found.make_room(missing)

    return make_room


def program_notes(journal: Callable[[], RunJournal | None]) -> Callable[[str, int], None]:
    """Return what notes the programs that start."""

    def note(path: str, pid: int) -> None:
        found = journal()
        if found is not None:
            found.note_program(path)

    return note


def joined_changes(parts: Sequence[FileChanges]) -> FileChanges:
    """Return the changes of several runs, in their order, as those of one."""
    if len(parts) == 1:
        return parts[0]
    before: dict[str, FileVersion | None] = {}
    after: dict[str, FileVersion | None] = {}
    reasons: dict[str, None] = {}
    for part in parts:
        for path, version in part.before.items():
            before.setdefault(path, version)
        after.update(part.after)
        reasons.update(dict.fromkeys(part.reasons))
    return FileChanges(before, after, reasons)


def refuse_incomplete(number: int, changes: Changes | LoggedRun) -> None:
    """Raise UndoRefused for a run whose changes are not all known, or whose contents are lost."""
    if not changes.is_complete:
        hint = "" if changes.versions.lost else "; `partial` takes back what is known"
        raise UndoRefused(f"run {number} cannot be taken back: {'; '.join(changes.reasons)}{hint}")


def refuse_own_changes(files: FileChanges, state: Sequence[StateChange]) -> None:
    """Raise UndoRefused if a run has changed something itself."""
    names = [*sorted(files.before), *(change.name for change in state)]
    if names:
        raise UndoRefused(f"this run has changed something itself: {', '.join(names)}")


def require_positive(count: int) -> None:
    if count < 1:
        raise ValueError(f"the number of runs must be at least 1, but is {count}")


def runs_are(count: int) -> str:
    """Return "no run is", "only 1 run is" or "only 2 runs are"."""
    if count > 1:
        return f"only {count} runs are"
    return "only 1 run is" if count else "no run is"
