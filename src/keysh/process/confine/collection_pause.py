"""A pause of garbage collection, which belongs to the process, for several threads at a time."""

from __future__ import annotations

import gc
import os
from _thread import allocate_lock


class CollectionPause:
    """A `with` block in which nothing is collected; the last one that ends turns it on again."""

    __slots__ = ("_count", "_lock", "_was_on")

    def __init__(self) -> None:
        self._begin()

    def _begin(self) -> None:
        self._lock = allocate_lock()
        self._count, self._was_on = 0, False

    def __enter__(self) -> None:
        with self._lock:
            if not self._count:
                self._was_on = gc.isenabled()
                gc.disable()
            self._count += 1

    def __exit__(self, *exception: object) -> None:
        with self._lock:
            self._count -= 1
            if not self._count and self._was_on:
                gc.enable()

    def end_in_fork(self) -> None:
        """This process was forked: the threads that were in a block do not exist in it."""
        if self._count and self._was_on:
            gc.enable()
        self._begin()


COLLECTION_PAUSE = CollectionPause()
os.register_at_fork(after_in_child=COLLECTION_PAUSE.end_in_fork)
