"""The gate of a shell that may run real programs, which closes when the shell is dropped."""

from __future__ import annotations

from weakref import finalize

from keysh.external import gate_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any
    from weakref import ref

    from keysh.external.gate import ProgramGate


def program_gate(external: object, shell: ref[Any]) -> ProgramGate:
    """Return the gate through which real programs run, as the host asks for it."""
    # In a worker process `external` is what runs programs in its host.
    gate: ProgramGate = external if hasattr(external, "spawn") else gate_for(external)  # type: ignore[assignment]
    owner = shell()
    if owner is not None:  # a job of a shell that was dropped may open it
        for _ in range(2):  # the watchdog may raise where one of them begins, which is lost then
            finalize(owner, gate.drop).atexit = False
    return gate
