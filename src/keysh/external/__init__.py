"""Real programs in a shell: the door that `Shell(external=…)` opens.

    name -> location: which file -> Run: connections, folder, environment -> Process, attended
                                                               \\-> Output, read by the next stage

A program stands in pipelines, redirections and jobs as a command does. What it is connected to is
an open file of the machine where there is one, and else a pipe that is pumped while it runs.
"""

from __future__ import annotations

from keysh.external.gate import ProgramGate
from keysh.process.policy import Policy


def gate_for(external: object) -> ProgramGate:
    """The door that a host asks for: True, or a Policy that says which programs may pass."""
    if external is True:
        return ProgramGate(None)
    if isinstance(external, Policy):
        return ProgramGate(external)
    raise TypeError(f"external must be False, True or a Policy, but is {external!r}")
