"""Caches: what was made of a text, kept within bounds that hold for all caches of the process.

What a script makes must not stay for ever: two shells share these caches, and a host runs many. So
a cache knows about how many bytes each value takes, caches that share one CacheMemory hold no more
than that allows together, and the oldest values of the largest cache are dropped first. A long text
is not kept where other shells would pay for it.
"""

from __future__ import annotations

from _thread import RLock  # `threading` is slow to import
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    T = TypeVar("T")

MAX_SHARED_BYTES = 16 << 20  # of all values that shells share, by kind of memory
MAX_SHARED_TEXT_CHARS = 4096  # a longer text is not kept for other shells
ENTRY_BYTES = 1000  # of any value, however short its text
FREED_PART = 16  # the part of a full memory that is made free at once

# All memories share it, since each shell has one, and storing takes a microsecond. It is
# re-entrant, since garbage collection may run a host's finalizer with the lock held.
STORING = RLock()


class CacheMemory:
    """What several caches may hold together."""

    __slots__ = ("_bytes", "_max_bytes", "caches")

    def __init__(self, max_bytes: int = MAX_SHARED_BYTES) -> None:
        self._max_bytes, self._bytes = max_bytes, 0
        self.caches: list[TextCache] = []

    def join(self, cache: TextCache) -> None:
        """Count what a cache holds."""
        with STORING:
            self.caches.append(cache)

    def store(self, cache: TextCache, key: object, value: object, size: int) -> None:
        """Keep a value of some bytes, unless it is too large; drop older ones to make room."""
        if size > self._max_bytes // 4:
            return
        with STORING:
            growth = size - cache.sizes.pop(key, 0)
            self._bytes += growth
            cache.held_bytes += growth
            cache.sizes[key] = size
            cache[key] = value
            if self._bytes > self._max_bytes:
                self._make_room()

    def _make_room(self) -> None:
        """Drop the oldest values of the largest caches; called with the lock held.

        Several at once: one for each new value takes five times as long. All is counted anew, since
        the watchdog may have ended a run while it stored a value.
        """
        for cache in self.caches:
            for key in [key for key in [*cache] if key not in cache.sizes]:
                cache.pop(key, None)
            cache.held_bytes = sum(cache.sizes.values())
        self._bytes = sum(cache.held_bytes for cache in self.caches)
        while self._bytes > self._max_bytes - self._max_bytes // FREED_PART:
            largest = max(self.caches, key=lambda one: one.held_bytes)
            for oldest in [*islice(largest.sizes, len(largest.sizes) // FREED_PART + 1)]:
                freed = largest.sizes.pop(oldest)
                largest.held_bytes -= freed
                self._bytes -= freed
                largest.pop(oldest, None)

    def empty(self, cache: TextCache) -> None:
        """Drop all values of a cache."""
        with STORING:
            self._bytes -= cache.held_bytes
            cache.held_bytes = 0
            cache.sizes.clear()
            cache.clear()


SHARED_MEMORY = CacheMemory()


class TextCache(dict[object, "Any"]):
    """Values by text, or by a tuple with texts in it.

    Reading needs no lock. `sizes` has the bytes of each value, the oldest first.
    """

    __slots__ = ("_bytes_per_character", "_max_text_chars", "_memory", "held_bytes", "sizes")

    def __init__(
        self,
        bytes_per_character: int,
        memory: CacheMemory = SHARED_MEMORY,
        max_text_chars: int = MAX_SHARED_TEXT_CHARS,
    ) -> None:
        """`max_text_chars` bounds the texts of one key; a longer one is not kept."""
        super().__init__()
        self._bytes_per_character, self._max_text_chars = bytes_per_character, max_text_chars
        self._memory, self.held_bytes = memory, 0
        self.sizes: dict[object, int] = {}
        memory.join(self)

    def get_or_make(self, key: object, make: Callable[[], T]) -> T:
        """Return the cached value of a text, or make and keep it."""
        value: T | None = self.get(key)
        if value is None:
            value = make()
            self.store(key, value)
        return value

    def forget_all(self) -> None:
        """Drop all values."""
        self._memory.empty(self)

    def store(self, key: object, value: object, extra_bytes: int = 0) -> None:
        """Keep the value of a text, unless the text is too long.

        `extra_bytes` are those that the length of the text does not tell.
        """
        length = text_length(key)
        if length <= self._max_text_chars:
            size = ENTRY_BYTES + length * self._bytes_per_character + extra_bytes
            self._memory.store(self, key, value, size)


def text_length(key: object) -> int:
    """Return the number of characters in a key: a text, or a tuple or set with texts in it."""
    if isinstance(key, str):
        return len(key)
    return sum(map(text_length, key)) if isinstance(key, tuple | frozenset) else 0
