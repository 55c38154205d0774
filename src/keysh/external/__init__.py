r"""Real programs as the interpreter sees them, with `Shell(external=…)`.

    name -> lookup -> ProgramRun: streams, directory, environment -> process.Process
                                                                \-> ProgramReader, the next stage

Entry: `gate_for`, which the shell calls; the interpreter sees a ProgramGate as its protocol
ExternalApi. A program stands in pipelines, redirections and jobs as a command does; each stream is
an open file of the machine where there is one, else a pipe that is pumped while the program runs.

May use process/ and interp/. Must not know the commands or a Shell.
"""

from __future__ import annotations

from keysh.external.gate import ProgramGate
from keysh.process.policy import Policy


def gate_for(external: object) -> ProgramGate:
    """The gate for the host's `external`: True, or a Policy that says which programs may run."""
    if external is True:
        return ProgramGate(None)
    if isinstance(external, Policy):
        return ProgramGate(external)
    raise TypeError(f"external must be False, True or a Policy, but is {external!r}")
