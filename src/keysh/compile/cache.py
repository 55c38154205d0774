"""Kept: what has been made of texts, so that it is made once."""

from __future__ import annotations

from _thread import allocate_lock  # `threading` is slow to import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

MAX_CACHED_TEXTS = 512  # texts
MAX_CACHED_CHARS = 1 << 19  # characters of all of them; compiled, each takes some 150 bytes


class TextCache(dict[str, "Any"]):
    """Found by text. The oldest are forgotten when there are too many, or too much of them."""

    __slots__ = ("_total_chars", "_lock", "_max_text_chars")

    def __init__(self, longest: int = MAX_CACHED_CHARS) -> None:
        """`longest` is of one text."""
        super().__init__()
        self._total_chars, self._max_text_chars = 0, longest
        self._lock = allocate_lock()  # shells on several threads share one

    def get_or_make(self, text: str, make: Callable[[], T]) -> T:
        """What is kept of a text, or else is made of it."""
        found: T | None = self.get(text)
        if found is None:
            found = make()
            self.store(text, found)
        return found

    def store(self, text: str, made: object) -> None:
        """Keep what has been made of a text, unless that takes too much room."""
        if len(text) > min(self._max_text_chars, MAX_CACHED_CHARS):
            return
        with self._lock:
            if text not in self:
                self._total_chars += len(text)
            self[text] = made
            while len(self) > MAX_CACHED_TEXTS or self._total_chars > MAX_CACHED_CHARS:
                oldest = next(iter(self))
                del self[oldest]
                self._total_chars -= len(oldest)
