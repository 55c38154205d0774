"""The servers whose tools a host gives its shell as commands: `Shell(tools=…)`.

A shell and its forks have the connections in common. They end when the last of these shells is
closed; one that is dropped counts no longer.
"""

from __future__ import annotations

from weakref import WeakSet

from keysh.diagnostics.exceptions import refuse
from keysh.shell.command_listing import names as command_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, Protocol, TypeAlias

    from keysh.schema.command_group import CommandGroup
    from keysh.shell.registry import CommandRegistry

    class CommandConnection(Protocol):
        """A connection to a source of tools, which is made when it is first needed."""

        command: CommandGroup

        @property
        def shadows(self) -> bool: ...
        def close(self) -> None: ...

    class CommandSource(Protocol):
        """Where tools come from, such as `keysh.adapters.tools.McpServer`."""

        def open(self) -> CommandConnection: ...

    Tools: TypeAlias = Iterable[CommandSource | Callable[..., Any]]


class HostTools:
    """The connections and functions that a host has passed as tools."""

    __slots__ = ("_connections", "_functions", "_users")

    def __init__(self, tools: Any) -> None:
        if isinstance(tools, str) or not hasattr(tools, "__iter__"):
            refuse("tools", "a list of servers and functions", tools, "tools=[function]")
        self._connections: list[CommandConnection] = []
        self._functions: list[Callable[..., Any]] = []
        self._users: WeakSet[Any] = WeakSet()
        for tool in tools:
            if hasattr(tool, "open") and not callable(tool):
                self._connections.append(tool.open())
            elif callable(tool):
                self._functions.append(tool)
            else:
                refuse("a tool", "a server of tools or a function", tool, "McpServer(…)")
        taken: set[str] = set()
        builtins = command_names()
        for connection in self._connections:
            name = connection.command.name
            if name in taken:
                raise ValueError(f"two servers have the name {name}: give one another, name='…'")
            if name in builtins and not connection.shadows:
                raise ValueError(
                    f"{name} is a command of keysh: give the server another name, name='…', or "
                    "shadows=True"
                )
            taken.add(name)

    def join(self, shell: object, registry: CommandRegistry) -> None:
        """Give a shell the tools as commands."""
        self._users.add(shell)
        for function in self._functions:
            registry.add(function)
        groups = {one.command.name: one.command for one in self._connections}
        registry.plugins = {**registry.plugins, **groups}

    def leave(self, shell: object) -> None:
        """A shell has been closed; with the last one the connections end."""
        self._users.discard(shell)
        if not self._users:
            for connection in self._connections:
                connection.close()


def host_tools(tools: Tools | HostTools) -> HostTools:
    """Return the tools of a shell; those of another shell are shared with it."""
    return tools if isinstance(tools, HostTools) else HostTools(tools)
