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

    Nothing is looked at before the first program, since there cannot be any.
    """

    __slots__ = ("_lock", "_moment", "_pid", "_tree", "tag")

    def __init__(self) -> None:
        self.tag = os.urandom(8).hex()
        self._pid, self._moment = 0, 0.0
        self._tree: ProcessTree | None = None
        self._lock = allocate_lock()

    def note_start(self, pid: int, moment: float) -> None:
        """A program was started; `moment` is a time just before that."""
        if not self._pid:
            self._pid, self._moment = pid, moment

    def has_more_than(self, count: int) -> bool:
        """Whether more than `count` of them are alive."""
        if not self._pid:
            return False
        with self._lock:
            if self._tree is None:
                self._tree = self._new_tree()
            return self._tree.has_more_than(count)

    def end(self, grace: float) -> list[int]:
        """Kill all, with SIGKILL `grace` seconds after SIGTERM; return those that cannot be killed.

        No lock is taken, so that a collector may call it.
        """
        if not self._pid:
            return []
        from keysh.process.tree.kill import end_tree  # noqa: PLC0415 - signals are named by an enum, 3 ms

        return end_tree(self._new_tree(), grace)

    def _new_tree(self) -> ProcessTree:
        from keysh.process.tree.process_table import NewPids  # noqa: PLC0415 - few shells look
        from keysh.process.tree.process_tree import NO_PID, ProcessTree  # noqa: PLC0415 - as above

        return ProcessTree(NO_PID, self.tag, NewPids(self._pid, self._moment))
