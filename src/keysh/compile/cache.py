"""Cache: results of compiling by source text, bounded in number and in characters."""

from __future__ import annotations

from _thread import RLock  # `threading` is slow to import

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

MAX_CACHED_TEXTS = 512  # texts
MAX_CACHED_CHARS = 1 << 19  # of all texts together; compiled, a character takes some 150 bytes

# All caches share it, since each shell has one, and storing takes a microsecond. It is re-entrant,
# since garbage collection may run a host's finalizer with the lock held.
STORING = RLock()


class TextCache(dict[str, "Any"]):
    """Values by text. The oldest are dropped where there are too many, or their texts too long."""

    __slots__ = ("_max_text_chars", "_total_chars")

    def __init__(self, max_text_chars: int = MAX_CACHED_CHARS) -> None:
        """`max_text_chars` bounds one text; a longer one is not kept."""
        super().__init__()
        self._total_chars, self._max_text_chars = 0, max_text_chars

    def get_or_make(self, text: str, make: Callable[[], T]) -> T:
        """Return the cached value of a text, or make and keep it."""
        value: T | None = self.get(text)
        if value is None:
            value = make()
            self.store(text, value)
        return value

    def store(self, text: str, value: object) -> None:
        """Keep the value of a text, unless the text is too long."""
        if len(text) > min(self._max_text_chars, MAX_CACHED_CHARS):
            return
        with STORING:  # shells on several threads share a cache
            if text not in self:
                self._total_chars += len(text)
            self[text] = value
            while len(self) > MAX_CACHED_TEXTS or self._total_chars > MAX_CACHED_CHARS:
                oldest = next(iter(self))
                del self[oldest]
                self._total_chars -= len(oldest)
