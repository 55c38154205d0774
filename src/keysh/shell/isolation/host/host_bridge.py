"""HostBridge: the states in which the host acts for a script of a worker: each a shell's own.

A program, a command of the host and a question need a state: files, a budget, what judges and what
records. The bridge makes one for each of them, of what the host has given the isolated shell.
"""

from __future__ import annotations

import sys
from contextlib import contextmanager
from time import monotonic

from keysh.interp.run.budget import Budget
from keysh.shell.runner import HOST_LOOP_MODULE, waiting_host_loop

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any

    from keysh.interp.run.cancel import Cancel
    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.shell.isolation.peer import Peer
    from keysh.shell.run_options import ShellSettings
    from keysh.vfs.api import FileSystem

MIN_SECONDS = 0.001  # for what a script wants at the very end of a run


class HostBridge:
    """What the host has for one isolated shell, and the run in progress."""

    def __init__(
        self, make_shell: Callable[..., Any], mounts: Mapping[str, FileSystem], limits: Limits,
        options: ShellSettings,
    ) -> None:  # fmt: skip
        self._make_shell, self.mounts, self.limits = make_shell, mounts, limits
        self.options = options
        self.peer: Peer | None = None  # of the run in progress
        self.ends_at: float | None = None  # of the run, on the clock `monotonic`
        self.error: BaseException | None = None  # that a function of the host has raised
        self.unenforced: tuple[str, ...] = ()  # what the kernel did not hold of programs
        self.helpers: set[int] = set()  # threads that act for the run's own, which waits for them
        self.is_cancelled: Callable[[], bool] = lambda: False  # the run in progress
        self._acting: set[Budget | Cancel] = set()  # what the run waits for in this process

    def seconds_left(self) -> float | None:
        """Return the seconds that the run may still take."""
        return None if self.ends_at is None else max(MIN_SECONDS, self.ends_at - monotonic())

    def new_shell(self, fs: Mapping[str, FileSystem], env: Mapping[str, str]) -> Any:
        """Return a shell of this process with some files, without anything that has a door."""
        return self._make_shell(
            fs or None, env=env, limits=self.limits, check=False, clock=self.options.clock
        )

    def new_state(
        self, fs: Mapping[str, FileSystem], env: Mapping[str, str], seconds: float | None
    ) -> State:
        """Return a state to act in, with a budget of its own."""
        state: State = self.new_shell(fs, env).state
        state.budget = Budget(self.limits, seconds)
        state.session.host_loop = waiting_host_loop() if HOST_LOOP_MODULE in sys.modules else None
        return state

    @contextmanager
    def acting(self, ending: Budget | Cancel) -> Iterator[None]:
        """Let `cancel` end what the run waits for.

        A worker may still ask while it is told that its run is cancelled.
        """
        self._acting.add(ending)
        if self.is_cancelled():
            ending.cancel()
        try:
            yield
        finally:
            self._acting.discard(ending)

    def cancel(self) -> None:
        """End what the run waits for in this process; from any thread."""
        for ending in tuple(self._acting):
            ending.cancel()

    def note_error(self, error: BaseException) -> None:
        """Keep the exception of a function of the host for the result of the run."""
        if isinstance(error, Exception):
            self.error = error
