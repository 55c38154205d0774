"""What a policy asks of the kernel, and the thread that starts its programs so.

"auto"        the mounts, as far as the kernel can; what it cannot hold is named
"require"     the mounts, or no program runs
Confinement   what it lists, or no program runs
"""

from __future__ import annotations

import os

from keysh.diagnostics.uncopied import Uncopied
from keysh.process.confine.confinement import MODES, Confinement, confinement_refusal
from keysh.process.confine.kernel import UNHELD_ATTRIBUTES, Kernel
from keysh.process.confine.launching_thread import LaunchingThreads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keysh.process.confine.launching_thread import LaunchingThread


class ProgramConfinement(Uncopied):
    """How the kernel holds the programs of one policy. `kernel` may stand for an older one."""

    __slots__ = ("_allowed_files", "_asked", "_denied_files", "_threads", "kernel")

    def __init__(
        self,
        asked: str | Confinement,
        allowed_files: Iterable[str] = (),
        denied_files: Iterable[str] = (),
    ) -> None:
        """Real paths of programs: those that may run wherever they are, and may not."""
        if not isinstance(asked, Confinement) and asked not in MODES:
            raise ValueError(
                f"confine must be 'auto', 'require', 'off' or a Confinement, but is {asked!r:.60}"
            )
        self._asked = asked
        self._denied_files = tuple(sorted(denied_files))
        self._allowed_files = tuple(sorted({*allowed_files} - {*self._denied_files}))
        self._threads = LaunchingThreads()
        self.kernel = Kernel()

    @property
    def holds_mounts(self) -> bool:
        """Whether the kernel holds programs to files, so that a mount may be read-only."""
        return self.kernel.landlock_abi > 0

    def confinement(self, mounted: Confinement | None) -> Confinement:
        """What programs are held to, given what the mounts say."""
        if isinstance(self._asked, Confinement):
            return self._asked.without(self._denied_files)
        asked = Confinement() if mounted is None else mounted
        asked = asked.with_paths(execute=self._allowed_files, deny=self._denied_files)
        asked.attributes = self._asked == "auto"
        asked.extended_attributes = False
        return asked

    def unheld_parts(self, confinement: Confinement) -> tuple[str, ...]:
        """What the kernel does not hold of a confinement."""
        unheld = self.kernel.unheld_parts(confinement)
        return tuple([*unheld, UNHELD_ATTRIBUTES] if self._asked == "auto" else unheld)

    def launching_thread(
        self, confinement: Confinement | None, own: Sequence[str], terminals: Sequence[str]
    ) -> tuple[LaunchingThread | None, tuple[str, ...]]:
        """The thread to start a program, and what the kernel does not hold of the confinement.

        `confinement` is that of this program, if the caller has asked for it. `own` are directories
        that were made for the program, `terminals` those that it is given.
        NotStarted if the kernel cannot do what is required.
        """
        if confinement is None:
            confinement = self.confinement(None)
        elif self._denied_files:
            confinement = confinement.without(self._denied_files)
        unenforced = self.unheld_parts(confinement)
        kernel = self.kernel
        if unenforced and self._asked != "auto":
            facts = "; ".join(unenforced)
            raise confinement_refusal("confine", f"this kernel does not hold {facts}")
        if not kernel.landlock_abi and not kernel.has_seccomp:
            return None, unenforced
        own = [os.path.realpath(path) for path in own]
        asked = confinement.with_paths(write=(*own, *terminals), execute=own)
        return self._threads.thread(asked, kernel), unenforced
