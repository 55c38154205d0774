"""What the kernel takes from a thread, for ever: privileges, files, ports and system calls."""

from __future__ import annotations

from keysh.process.confine.landlock import ABI_TRUNCATE, Ruleset
from keysh.process.confine.seccomp import confine_calls, filter_program, refuse_privileges

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Self

    from keysh.process.confine.confinement import Confinement
    from keysh.process.confine.kernel import Kernel


class ThreadRestriction:
    """The parts of a confinement, prepared by a thread that may still open files."""

    __slots__ = ("_program", "_ruleset")

    def __init__(self, confinement: Confinement, kernel: Kernel) -> None:
        """OSError or NotStarted for what the kernel does not take."""
        abi = kernel.landlock_abi
        self._program = b""
        if kernel.has_seccomp:
            self._program = filter_program(
                confinement, kernel.machine, holds_truncation=abi >= ABI_TRUNCATE
            )
        self._ruleset = Ruleset(confinement, abi) if abi else None

    def apply(self) -> None:
        """Restrict this thread, and all that it starts from now on."""
        refuse_privileges()
        if self._ruleset is not None:
            self._ruleset.restrict_thread()
        if self._program:
            confine_calls(self._program)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._ruleset is not None:
            self._ruleset.close()
