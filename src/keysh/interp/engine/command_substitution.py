"""Command substitution: run `$(…)` in a fork and capture its text, or the value printed."""

from __future__ import annotations

from functools import partial

from keysh.interp.engine.pipeline import run_fork
from keysh.interp.engine.thread_handoff import LEVELS_PER_STACK, on_fresh_stack
from keysh.interp.run.options import ERREXIT, INHERIT_ERREXIT
from keysh.interp.streams.streams import Writer, flush_nothing
from keysh.text.chunks import utf8_bytes
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State


class OutputCapture(Writer):
    """A writer that collects text and values, up to the limit for one value."""

    __slots__ = ("_has_rows", "_max_size", "_pieces", "_rows", "_size", "_state", "_values")

    def __init__(self, state: State) -> None:
        self._pieces: list[str] = []
        self._rows: list[Any] = []
        self._has_rows = False  # a command that yields rows has ended, perhaps without any
        self._values: list[Any] = []
        self._size = 0
        self._state, self._max_size = state, state.max_value_bytes
        self.put, self.flush = self._keep, flush_nothing

    def _keep(self, text: str) -> None:
        self._pieces.append(text)
        self._size += len(text) if text.isascii() else utf8_bytes(text)
        if self._size > self._max_size:
            raise self._state.value_too_large(self._size)

    def write_value(self, value: object, text: str) -> None:
        self._values.append(value)
        self._keep(text)

    def write_row(self, row: object, text: str) -> None:
        self._rows.append(row)
        self._keep(text)

    def end_rows(self) -> None:
        self._has_rows = True

    @property
    def text(self) -> str:
        """The collected text without trailing newlines."""
        pieces = self._pieces
        text = pieces[0] if len(pieces) == 1 else "".join(pieces)
        return text.rstrip("\n") if text[-1:] == "\n" else text

    @property
    def whole_text(self) -> str:
        """The collected text."""
        return "".join(self._pieces)

    def value(self) -> Any:
        """Return the value, or the rows, if nothing else was printed; else the text."""
        value = self.bound_value()
        return self.text if value is ABSENT else value

    def bound_value(self) -> Any:
        """Return the value, or the rows, if nothing else was printed; else ABSENT."""
        if self._values and len(self._pieces) == 1:
            return self._values[0]
        if (self._rows or self._has_rows) and len(self._rows) == len(self._pieces):
            return self._rows
        return ABSENT


def captured_output(state: State, body: Body) -> OutputCapture:
    """Run a body in a fork and capture its output; sets the status of the state."""
    state.enter_level()
    try:
        child = state.fork()
        child.nesting += 1
        child.loops = state.loops  # as in bash, a `break` ends the substitution
        capture = OutputCapture(child)
        child.set_out(capture)
        if child.flags & ERREXIT and not child.flags & INHERIT_ERREXIT:
            child.flags &= ~ERREXIT
        if state.depth % LEVELS_PER_STACK == 0:
            run = partial(run_fork, child, body, "substitution")
            state.status = on_fresh_stack(state, run)
        else:
            state.status = run_fork(child, body, "substitution")
        if state.session.jobs.jobs:
            state.session.jobs.wait_for_writers(capture, state.budget)
    finally:
        state.depth -= 1
    return capture


def substitution_value(state: State, body: Body) -> Any:
    """Return the value of `$(…)`."""
    return captured_output(state, body).value()
