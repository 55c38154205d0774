"""Tagged processes: all that one owner, such as a shell, has started and that is still alive.

Each program of the owner has the owner's tag in its environment, and so has everything that the
program starts, also after the program itself has ended.
"""

from __future__ import annotations

import os
from _thread import allocate_lock

from keysh.diagnostics.uncopied import Uncopied

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.process.tree.process_tree import ProcessTree


class TaggedProcesses(Uncopied):
    """The processes with a tag of their own. Any thread may use it.

    Nothing is looked at while there can be none: before the first program, and once all programs
    have ended that may have left any. What one has left stays a child of it or carries the tag, so
    where nothing is alive and no program runs, nothing can appear.
    """

    __slots__ = ("_first", "_is_shared", "_left_at", "_lock", "_look", "_quiet_at", "_running",
                 "_tree", "tag")  # fmt: skip

    def __init__(self) -> None:
        self.tag = os.urandom(8).hex()
        self._first: tuple[int, float] | None = None  # the first program
        self._running: set[tuple[int, float]] = set()
        # Numbers of looks: the next one, the last that found nothing, and the one before which
        # something may have been left last.
        self._look, self._quiet_at, self._left_at = 1, 0, 0
        self._is_shared = False
        self._tree: ProcessTree | None = None
        self._lock = allocate_lock()

    def note_start(self, pid: int, moment: float) -> None:
        """A program was started; `moment` is a time just before that."""
        if self._first is None:
            self._first = pid, moment
        self._running.add((pid, moment))

    def note_end(self, pid: int, moment: float, *, has_left: bool) -> None:
        """The same program has ended; `has_left`: something that it has started may be alive."""
        if has_left:
            self._left_at = self._look
        self._running.discard((pid, moment))

    def note_fork(self) -> None:
        """A process that this one has forked starts programs with the same tag from now on."""
        self._is_shared = True

    @property
    def may_be_alive(self) -> bool:
        """Whether any of them may be alive."""
        return self._is_shared or bool(self._running) or self._left_at > self._quiet_at

    def has_more_than(self, count: int) -> bool:
        """Whether more than `count` of them are alive."""
        if not self.may_be_alive:
            return False
        with self._lock:
            if self._tree is None:
                self._tree = self._new_tree()
            tree = self._tree
            look, self._look = self._look, self._look + 1
            # A program that ends from now on, with something left, is counted at the next look.
            greatest = tree.greatest_count()
            if greatest is not None and 0 < greatest <= count:
                return False
            if tree.has_more_than(count):
                return True
            if not self._running and tree.is_empty():
                self._quiet_at = look
            return False

    def end(self, grace: float) -> list[int]:
        """Kill all, with SIGKILL `grace` seconds after SIGTERM; return those that cannot be killed.

        No lock is taken, so that a collector may call it.
        """
        if not self.may_be_alive:
            return []
        from keysh.process.tree.kill import end_tree  # noqa: PLC0415 - signals are named by an enum, 3 ms

        return end_tree(self._new_tree(), grace)

    def _new_tree(self) -> ProcessTree:
        from keysh.process.tree.process_table import NewPids  # noqa: PLC0415 - few shells look
        from keysh.process.tree.process_tree import NO_PID, ProcessTree  # noqa: PLC0415 - as above

        pid, moment = self._first or (0, 0.0)
        return ProcessTree(NO_PID, self.tag, NewPids(pid, moment))
