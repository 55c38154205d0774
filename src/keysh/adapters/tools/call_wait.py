"""What a call to a server waits under: the cancellation, the deadline and the limits of a run."""

from __future__ import annotations

from _thread import get_ident, start_new_thread
from time import monotonic

from keysh.interp.run.budget import Budget

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.state.state import State

LIMIT_CHECK_SECONDS = 0.25  # between checks of a run that waits; cancelling interrupts the wait


class CallWait:
    """The limits of one call; `state` is that of the script, if there is one.

    It has what the transfers of `curl` ask of a command's call.
    """

    __slots__ = ("budget", "state", "until")

    def __init__(self, budget: Budget, seconds: float, state: State | None = None) -> None:
        self.budget, self.state = budget, state
        self.until = monotonic() + seconds  # the server's own time

    @property
    def cancel_fd(self) -> int:
        """A descriptor that becomes readable when the run is cancelled."""
        return self.budget.flag().fd

    @property
    def deadline(self) -> float | None:
        """The latest end of the run."""
        return self.budget.deadline

    def seconds_left(self) -> float:
        """Return the seconds of the server's own time that are left."""
        return self.until - monotonic()

    def tick(self) -> None:
        """Stop if the run has ended."""
        self.budget.check()

    def start_thread(self, work: Callable[[], object]) -> None:
        """Start work that does not use the shell on a thread of its own."""
        if self.state is None:
            start_new_thread(work, ())
        else:
            self.state.session.services.start_thread(work)

    def check_size(self, size: int) -> None:
        """Stop the run if a text of this size would be more than a value may have."""
        if self.state is not None:
            self.state.check_size(size)

    def count_unpacked(self, size: int) -> None:
        """Count bytes that were unpacked."""
        if self.state is not None:
            self.state.count_unpacked(size)


def budget_of(state: State) -> Budget:
    """Return the budget of the run on this thread; a new one if the host itself asks."""
    session = state.session
    acting = session.threads.get(get_ident())
    return Budget(session.limits) if acting is None else state.budget
