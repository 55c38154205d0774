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

    __slots__ = ("body", "command", "defaults", "name", "node", "source")

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
