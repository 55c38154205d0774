"""Functions of a script: what is known of one."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.diagnostics.source import Source
    from keysh.interp.run.forward_types import AnyBody, AnyExpression
    from keysh.schema.command import Command
    from keysh.syntax import ast


# Frames: the functions and sourced scripts that run, and the variables they have made local.

SAVED_OPTIONS_KEY = "-"  # among the variables of a frame: what the options were


class Frame:
    """A function or sourced script that is running, and the variables it has made local."""

    __slots__ = ("function", "line", "saved_variables")
    is_function = True

    def __init__(self, function: ShellFunction, line: int) -> None:
        self.function, self.line = function, line
        self.saved_variables: dict[str, tuple[Any, int]] | None = None

    def copy(self) -> Frame:
        """This frame as a subshell has it, which may change it."""
        made = self.__class__.__new__(self.__class__)
        made.function, made.line = self.function, self.line
        made.saved_variables = None if self.saved_variables is None else self.saved_variables.copy()
        return made

    @property
    def name(self) -> str:
        """What `$FUNCNAME` calls it."""
        return self.function.name

    @property
    def source(self) -> str:
        """Where it stands."""
        return self.function.source.name


class SourceFrame(Frame):
    """A script that `source` runs; what it makes local belongs to the function around it."""

    __slots__ = ("_source",)
    is_function = False

    def __init__(self, source: str, line: int) -> None:
        self._source, self.line = source, line
        self.saved_variables = None

    @property
    def name(self) -> str:
        return "source"

    @property
    def source(self) -> str:
        return self._source


class ShellFunction:
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

    def with_export(self, is_exported: bool) -> ShellFunction:
        """The same one as shells that are run as commands have it, or have it not."""
        made = ShellFunction(
            self.name, self.body, self.node, self.source, self.command, self.defaults
        )
        made.is_exported = is_exported
        return made
