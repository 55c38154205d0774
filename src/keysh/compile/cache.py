"""Kept: what has been made of texts, so that it is made once."""

from __future__ import annotations

from _thread import allocate_lock  # `threading` is slow to import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

MOST = 512  # texts
LONGEST = 1 << 19  # characters of all of them; compiled, each takes some 150 bytes


class Kept(dict[str, "Any"]):
    """Found by text. The oldest are forgotten when there are too many, or too much of them."""

    __slots__ = ("_length", "_lock", "_longest")

    def __init__(self, longest: int = LONGEST) -> None:
        """`longest` is of one text."""
        super().__init__()
        self._length, self._longest = 0, longest
        self._lock = allocate_lock()  # shells on several threads share one

    def made(self, text: str, make: Callable[[], T]) -> T:
        """What is kept of a text, or else is made of it."""
        found: T | None = self.get(text)
        if found is None:
            found = make()
            self.keep(text, found)
        return found

    def keep(self, text: str, made: object) -> None:
        """Keep what has been made of a text, unless that takes too much room."""
        if len(text) > min(self._longest, LONGEST):
            return
        with self._lock:
            if text not in self:
                self._length += len(text)
            self[text] = made
            while len(self) > MOST or self._length > LONGEST:
                oldest = next(iter(self))
                del self[oldest]
                self._length -= len(oldest)
