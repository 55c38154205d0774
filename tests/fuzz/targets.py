"""All targets of the fuzzers by name: what makes an input, and what must hold for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random

from fuzz import (
    archive_targets,
    data_targets,
    program_targets,
    reference_targets,
    syntax_targets,
)

Input = str | bytes
Source = Callable[[Random], Callable[[], Input]]
Property = Callable[[Input], None]


class Target:
    """`maker` returns a function that makes inputs; `holds` raises for one that is a finding.

    `tools` are the real ones that it compares keysh with.
    """

    def __init__(
        self, name: str, maker: Source, holds: Property, tools: Sequence[str] = ()
    ) -> None:
        self.name, self.maker, self.holds, self.tools = name, maker, holds, tools


def all_targets() -> Mapping[str, Target]:
    """Return the targets; each module names a maker, a property and maybe tools for each."""
    modules = (syntax_targets, program_targets, data_targets, archive_targets, reference_targets)
    return {
        name: Target(name, *parts) for module in modules for name, parts in module.TARGETS.items()
    }
