"""One task at work: its command in a fork of a state, and what that prints."""

from __future__ import annotations

from functools import partial

from keysh.interp.engine.command_substitution import OutputCapture
from keysh.interp.engine.dispatch import run_words
from keysh.interp.engine.pipeline import run_subshell
from keysh.interp.scatter.returned_files import file_stamps, files_since
from keysh.interp.streams.descriptors import NO_INPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.scatter.engine import ItemTask
    from keysh.interp.state.state import State

SEED_STEP = 0x9E3779B1  # spreads the seeds of neighbouring items
MAX_SEED = 0x7FFFFFFF


class TaskRun:
    """Runs a task. What it has printed is there whatever ends it."""

    __slots__ = ("_err", "_out", "_pattern", "_place", "_state", "_words", "child", "files")

    def __init__(self, state: State, task: ItemTask, pattern: str | None = None) -> None:
        """`pattern`: `files` has what it has written and what matches this."""
        self._pattern = pattern
        self.files: dict[str, bytes] = {}
        self._state, self._words = state, task.words
        self._place = {"index": task.index, "attempt": task.attempt}  # among the items
        child = self.child = state.fork()
        self._out, self._err = OutputCapture(child), OutputCapture(child)
        child.set_streams(NO_INPUT, self._out, self._err)
        if task.seed is not None:
            child.random_seed = (task.seed + (task.index + 1) * SEED_STEP) & MAX_SEED, 0

    def run(self, child: State) -> int:
        """Run the command to its end, and its jobs that still print; return its status."""
        words, state, pattern = self._words, self._state, self._pattern
        before = {} if pattern is None else file_stamps(state, pattern)
        perform = partial(run_subshell, child, lambda child: run_words(child, words))
        if (trail := state.session.trail) is None:
            status = perform()
        else:
            status = trail.within(child, "item", self._place, perform)
        if state.session.jobs.jobs:
            state.session.jobs.wait_for_writers(self._out, state.budget)
        if pattern is not None:
            self.files = files_since(state, pattern, before)
        return status

    @property
    def out(self) -> str:
        """What it has printed."""
        return self._out.whole_text

    @property
    def err(self) -> str:
        """What it has printed on standard error."""
        return self._err.whole_text

    @property
    def data(self) -> Any:
        """The value that it has printed; ABSENT for text."""
        return self._out.bound_value()
