"""What a host permits its shell: commands and addresses of the network."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from keysh.diagnostics.source import Source
    from keysh.interp.run.network import Network
    from keysh.syntax.node import Node

    # Receives a command's name, its arguments, and its file, line and column.
    OnCommand: TypeAlias = Callable[[str, list[object], Any], object]


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
