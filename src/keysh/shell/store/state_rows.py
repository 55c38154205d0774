"""StateRows: the states in a store, as the JSON of images, and which one is the present."""

from __future__ import annotations

import json

from keysh.diagnostics.exceptions import ImageError
from keysh.interp.state.state import State
from keysh.shell.images.state_records import record_of_function, record_of_state
from keysh.shell.images.state_restoring import restore_state
from keysh.shell.store.session_tables import add_state, state_record, unusable
from keysh.shell.store.stored_state import StoredState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.run.function import ShellFunction
    from keysh.shell.history.state_version import StateVersion
    from keysh.vfs.sqlite.database import Database

DAMAGED_IMAGE = "the image is damaged: "  # what is damaged here is a file


class PresentState:
    """The state that was stored last: its row, its record, and the version, if that is known."""

    __slots__ = ("record", "row", "version")

    def __init__(self, row: int, record: str, version: StateVersion | None) -> None:
        self.row, self.record, self.version = row, record, version

    def is_of(self, state: State) -> bool:
        """Whether a state is known to be this one, without a look into its values."""
        return self.version is not None and self.version.is_of(state)


class StateRows:
    """Reads and writes states."""

    __slots__ = ("_database", "_functions", "present")

    def __init__(self, database: Database) -> None:
        self._database = database
        self._functions: dict[ShellFunction, dict[str, Any]] = {}
        self.present = PresentState(0, "", None)

    def row_of(self, version: StateVersion, state: State) -> int:
        """Return the row of a version of a state; it is added if there is none."""
        present = self.present
        if isinstance(version, StoredState):
            return version.row
        if version is present.version:
            return present.row
        beside = State(state.session, state.stdin, state.out, state.err)
        version.put_into(beside)
        record = self.record_text(beside)
        return present.row if record == present.record else add_state(self._database, record)

    def state_of(self, row: int, state: State) -> State:
        """Return the state of a row, beside the present one."""
        return self.state_from(json.loads(state_record(self._database, row)), state)

    def state_from(self, record: dict[str, Any], state: State) -> State:
        """Return a state of a record, in the same session as another one; `$SECONDS` goes on."""
        fresh = State(state.session, state.stdin, state.out, state.err)
        fresh.flags = state.flags
        try:
            restore_state(fresh, {**record, "age": age_of(state)})
        except ImageError as error:
            raise unusable(self._database, str(error).removeprefix(DAMAGED_IMAGE)) from None
        except (TypeError, ValueError, RecursionError) as error:
            raise unusable(self._database, f"its state is damaged: {error}") from None
        return fresh

    def record_text(self, state: State) -> str:
        """Return a state as JSON, without the time since `$SECONDS` began, which always differs."""
        try:
            record = record_of_state(state, self._record_of_function)
            del record["age"]
            text = json.dumps(record, separators=(",", ":"), check_circular=False)
        except RecursionError:
            raise ImageError("a value is nested too deeply to be stored") from None
        if len(self._functions) > 2 * len(state.functions):
            for gone in self._functions.keys() - state.functions.values():
                del self._functions[gone]
        return text

    def _record_of_function(self, function: ShellFunction) -> dict[str, Any]:
        """Return the record of a function, for which its text is parsed again only once."""
        record = self._functions.get(function)
        if record is None:
            record = self._functions[function] = record_of_function(function)
        return record


def age_of(state: State) -> int:
    """Return the time since `$SECONDS` began, in nanoseconds."""
    return state.session.clock() - state.seconds_from
