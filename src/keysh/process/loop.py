"""The poll loop: one poll over all descriptors of one or several processes."""

from __future__ import annotations

import select
from time import monotonic

from keysh.diagnostics.uncopied import Uncopied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Protocol

    class Poller(Protocol):
        """`select.poll`, which takes milliseconds, or `select.epoll`, which takes seconds."""

        def register(self, fd: int, events: int, /) -> object: ...
        def unregister(self, fd: int, /) -> object: ...
        def poll(self, timeout: float | None = None, /) -> list[tuple[int, int]]: ...

    class LoopMember(Protocol):
        """An owner of watched descriptors, with a time at which to be called."""

        due: float | None

        def on_time(self, now: float) -> None: ...
        def stop(self, why: str = ...) -> None: ...
        def stop_if_overdue(self, now: float) -> None: ...


POLLOUT = select.POLLOUT
# On a descriptor that is written, these mean that the reader is gone.
READER_GONE_EVENTS = select.POLLERR | select.POLLHUP

# A signal that arrives just before the poll starts is handled by Python only after it.
MAX_POLL_SECONDS = 0.25


class PollLoop(Uncopied):
    """Calls an action for each watched descriptor that has events.

    When the descriptor `cancel` is readable, every member is stopped. Processes that feed one
    another share a loop, since none can go on while another's pipe is full.
    """

    __slots__ = ("_actions", "_cancel", "_poll", "_units_per_second", "members")

    def __init__(self, cancel: int | None = None, poller: Poller | None = None) -> None:
        self._poll: Poller = select.poll() if poller is None else poller
        self._units_per_second = 1000 if poller is None else 1  # the unit of the poller's timeout
        self._actions: dict[int, Callable[[int], None]] = {}
        self.members: list[LoopMember] = []
        self._cancel = cancel
        if cancel is not None:
            self.watch(cancel, self._on_cancel)

    def watch(self, fd: int, action: Callable[[int], None], events: int = select.POLLIN) -> None:
        self._actions[fd] = action
        self._poll.register(fd, events)

    def forget(self, fd: int) -> None:
        """Stop watching; call it before the descriptor is closed. Repeating it does no harm."""
        if self._actions.pop(fd, None) is not None:
            self._poll.unregister(fd)

    def due(self) -> float | None:
        """The earliest time at which a member wants to be called."""
        return min([x.due for x in self.members if x.due is not None], default=None)

    def turn(self, until: float | None = None) -> None:
        """Wait for an event or a time, and act on it."""
        due = self.due()
        if until is not None and (due is None or until < due):
            due = until
        rest = (
            MAX_POLL_SECONDS if due is None else min(max(due - monotonic(), 0.0), MAX_POLL_SECONDS)
        )
        self._act(self._poll.poll(rest * self._units_per_second))

    def turn_at_once(self) -> None:
        """Act on the events that are there, without waiting."""
        self._act(self._poll.poll(0))

    def _act(self, events: list[tuple[int, int]]) -> None:
        try:
            for fd, event in events:
                action = self._actions.get(fd)  # an earlier action may have removed it
                if action is not None:
                    action(event)
        finally:  # an action that always fails must not keep other members from being killed
            for member in tuple(self.members):
                if member.due is not None:
                    now = monotonic()
                    if member.due <= now:
                        member.on_time(now)

    def cancel(self) -> None:
        """Stop all members."""
        for member in tuple(self.members):
            member.stop("cancelled")

    def _on_cancel(self, _: int) -> None:
        if self._cancel is not None:
            self.forget(self._cancel)  # it stays readable
        self.cancel()
