"""Functions of a script, and the frames of their calls."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.diagnostics.source import Source
    from keysh.interp.run.forward_types import AnyBody, AnyExpression
    from keysh.schema.command import Command
    from keysh.syntax import ast


SAVED_OPTIONS_KEY = "-"  # key of the saved options among the saved variables


class Frame:
    """A running function or sourced script, with the variables that its locals hide."""

    __slots__ = ("function", "line", "saved_variables")
    is_function = True

    def __init__(self, function: ShellFunction, line: int) -> None:
        self.function, self.line = function, line
        self.saved_variables: dict[str, tuple[Any, int]] | None = None

    def copy(self) -> Frame:
        """Return a copy for a subshell."""
        copy = self.__class__.__new__(self.__class__)
        copy.function, copy.line = self.function, self.line
        copy.saved_variables = None if self.saved_variables is None else self.saved_variables.copy()
        return copy

    @property
    def name(self) -> str:
        """The name in `$FUNCNAME`."""
        return self.function.name

    @property
    def source(self) -> str:
        """The file of its definition."""
        return self.function.source.name


class SourceFrame(Frame):
    """A sourced script; its locals belong to the enclosing function."""

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
    """A function. If its parameters are declared, `command` binds its arguments."""

    __slots__ = (
        "body",
        "command",
        "defaults",
        "held_bytes",
        "is_exported",
        "is_readonly",
        "name",
        "node",
        "source",
    )

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
        self.held_bytes = 0  # of its tree and what is compiled of it; 0 before it is measured
        self.is_exported = False  # whether child shells inherit it
        self.is_readonly = False  # whether it can be neither defined again nor unset

    def with_export(self, is_exported: bool) -> ShellFunction:
        """Return a copy that child shells inherit, or do not."""
        copy = self._copy()
        copy.is_exported = is_exported
        return copy

    def with_readonly(self) -> ShellFunction:
        """Return a copy that stays as it is."""
        copy = self._copy()
        copy.is_readonly = True
        return copy

    def _copy(self) -> ShellFunction:
        copy = ShellFunction(
            self.name, self.body, self.node, self.source, self.command, self.defaults
        )
        copy.is_exported, copy.is_readonly = self.is_exported, self.is_readonly
        return copy
