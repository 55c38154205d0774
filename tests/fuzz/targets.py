"""All targets of the fuzzers by name: what makes an input, and what must hold for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from fuzz import archive_targets, data_targets, program_targets, syntax_targets

Input = str | bytes
Source = Callable[[Random], Callable[[], Input]]
Property = Callable[[Input], None]


class Target:
    """`maker` returns a function that makes inputs; `holds` raises for one that is a finding."""

    def __init__(self, name: str, maker: Source, holds: Property) -> None:
        self.name, self.maker, self.holds = name, maker, holds


def all_targets() -> Mapping[str, Target]:
    """Return the targets; each module names its own as pairs of a maker and a property."""
    modules = (syntax_targets, program_targets, data_targets, archive_targets)
    return {
        name: Target(name, maker, holds)
        for module in modules
        for name, (maker, holds) in module.TARGETS.items()
    }
