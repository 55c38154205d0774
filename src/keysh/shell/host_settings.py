"""What a host decides for its shell: the clock, random numbers, the network, permissions."""

from __future__ import annotations

from time import time_ns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random
    from typing import Any, TypeAlias

    from keysh.diagnostics.source import Source
    from keysh.external.gate import ProgramGate
    from keysh.interp.run.network import Network
    from keysh.syntax.node import Node

    # Receives a command's name, its arguments, and its file, line and column.
    OnCommand: TypeAlias = Callable[[str, list[object], Any], object]

NANOSECONDS = 1_000_000_000


def clock_in_nanoseconds(clock: Callable[[], float] | float | None) -> Callable[[], int]:
    """Return the clock of a shell: the host's own in seconds, a fixed time, or the real one."""
    if clock is None:
        return time_ns
    if callable(clock):
        return lambda: round(clock() * NANOSECONDS)
    fixed = round(clock * NANOSECONDS)
    return lambda: fixed


def random_source(seed: int | None) -> Callable[[], Random]:
    """Return what makes the shell's random numbers when first asked; a seed fixes them."""
    generators: list[Random] = []

    def generator() -> Random:
        if not generators:
            from random import Random  # noqa: PLC0415 - 3 ms that most scripts do not need

            generators.append(Random(seed))
        return generators[0]

    return generator


def allowed_network(network: Network | bool) -> Network | None:
    """Return the network that a host lets scripts reach."""
    from keysh.interp.run.network import network_of  # noqa: PLC0415 - most hosts allow none

    return network_of(network)


def permission_check(
    on_command: OnCommand,
) -> Callable[[str, list[object], Source, Node], str | None]:
    """Return what asks the host before each command: None to go on, or the reason against it."""

    def ask(name: str, arguments: list[object], source: Source, node: Node) -> str | None:
        line, column = source.position(node.start)
        answer = on_command(name, arguments, (source.name, line, column))
        if answer is None or answer is True:
            return None
        return "refused by the host" if answer is False else str(answer)

    return ask


def program_gate(external: object) -> ProgramGate:
    """Return the gate through which real programs run, as the host asks for it."""
    from keysh.external import gate_for  # noqa: PLC0415 - brings in processes

    return gate_for(external)
