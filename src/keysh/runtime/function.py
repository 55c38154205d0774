"""Functions of a script: what is known of one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.any_state import AnyBody, AnyExpression
    from keysh.schema.command import Command
    from keysh.source import Source
    from keysh.syntax import ast


class Function:
    """A function. `command` binds its arguments where its parameters are declared."""

    __slots__ = ("body", "command", "defaults", "is_exported", "name", "node", "source")

    def __init__(
        self,
        name: str,
        body: AnyBody,
        node: ast.Function,
        source: Source,
        command: Command | None = None,
        defaults: dict[str, AnyExpression] | None = None,
    ) -> None:
        self.name, self.body, self.node, self.source = name, body, node, source
        self.command, self.defaults = command, defaults or {}
        self.is_exported = False  # whether shells that a script runs as commands have it too

    def exported(self, is_exported: bool) -> Function:
        """The same one as shells that are run as commands have it, or have it not."""
        made = Function(self.name, self.body, self.node, self.source, self.command, self.defaults)
        made.is_exported = is_exported
        return made
