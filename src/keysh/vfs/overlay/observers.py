"""OverlayObservers: who learns when an overlay covers a path of its lower file system.

A journal compares snapshots of the upper. What only the lower had when a run began is in none of
them, so the overlay tells of it at the first change.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from keysh.vfs.api import Stat

    class OverlayObserver(Protocol):
        """Learns of changes; its methods are called with the overlay's lock held."""

        def note_copy(self, path: str) -> None: ...
        def note_loss(self, path: str, stat: Stat) -> None: ...
        def note_reset(self) -> None: ...


class OverlayObservers:
    """The observers of one overlay, of which most have none."""

    __slots__ = ("_present",)

    def __init__(self) -> None:
        self._present: tuple[OverlayObserver, ...] = ()

    def add(self, observer: OverlayObserver) -> None:
        """Tell an observer from now on."""
        if observer not in self._present:
            self._present = (*self._present, observer)

    def remove(self, observer: OverlayObserver) -> None:
        """Tell an observer no more."""
        self._present = tuple(each for each in self._present if each is not observer)

    def note_copy(self, path: str) -> None:
        """Tell that a path has just been copied to the upper, as it was."""
        for observer in self._present:
            observer.note_copy(path)

    def note_loss(self, path: str, stat: Stat) -> None:
        """Tell that a path is about to be covered, and not by a copy.

        Before the upper has anything there: if a limit strikes meanwhile, all is as it was.
        """
        for observer in self._present:
            observer.note_loss(path, stat)

    def note_reset(self) -> None:
        """Tell that the upper is about to be emptied."""
        for observer in self._present:
            observer.note_reset()
