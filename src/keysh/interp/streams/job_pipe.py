"""A pipe between two threads of a shell: what one side puts, the other reads as it comes."""

from __future__ import annotations

from collections import deque

from keysh.interp.run.bell import Bell
from keysh.interp.run.control_flow import ReaderGone
from keysh.interp.run.peer_wait import PeerWait

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Protocol

    from keysh.interp.run.budget import Budget

    class PipeUser(Protocol):
        """The part of a state that a pipe uses."""

        budget: Budget


PIPE_POLL_SECONDS = 0.02  # how often a waiting side checks for the end of its run
MAX_WAITING_CHARS = 1 << 16  # as much as a pipe of Linux holds


class JobPipe:
    """Text on its way from one thread to another; a full pipe makes the writer wait.

    Each side counts its own characters: of a count that both change one may lose a change.
    """

    __slots__ = ("_bell", "_is_closed", "_put_chars", "_taken_chars", "_texts")

    def __init__(self) -> None:
        self._texts: deque[str] = deque()
        self._put_chars = self._taken_chars = 0
        self._is_closed = False
        self._bell = Bell()

    def put(self, text: str, user: PipeUser) -> None:
        """Add text; raise ReaderGone if the pipe has been closed."""
        while not self._has_room():
            self._pause(user, self._has_room)
        if self._is_closed:
            raise ReaderGone
        self._put_chars += len(text)
        self._texts.append(text)
        self._bell.ring()

    def chunks(self, user: PipeUser) -> Iterator[str]:
        """Yield what is put, until the pipe is closed and empty."""
        while True:
            # What is put from here on rings this bell.
            self._bell = Bell()
            if self._texts:
                text = self._texts.popleft()
                self._taken_chars += len(text)
                yield text
            elif self._is_closed:
                return
            else:
                self._pause(user, self._has_news)

    def _has_room(self) -> bool:
        return self._put_chars - self._taken_chars <= MAX_WAITING_CHARS or self._is_closed

    def _has_news(self) -> bool:
        return bool(self._texts) or self._is_closed

    def _pause(self, user: PipeUser, is_over: Callable[[], bool]) -> None:
        """Wait a moment, or until the other side has done something."""
        user.budget.check()
        with PeerWait(user.budget, is_over):
            self._bell.wait(PIPE_POLL_SECONDS)

    def close(self) -> None:
        """End the text: of either side, as a pipe has one reader and one writer here."""
        self._is_closed = True
        self._bell.ring()
