"""The commands of a shell: keysh's own, and those that its host adds."""

from __future__ import annotations

import keysh.shell.command_listing as commands
from keysh.diagnostics.exceptions import KeyshError
from keysh.schema.command import Command
from keysh.schema.declare import DeclarationError, command_from_function

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from collections.abc import Set as AbstractSet
    from typing import Any

    from keysh.interp.state.state import State


class BuiltinCommands:
    """keysh's own commands, each loaded when it is first asked for."""

    __slots__ = ("_names", "_programs", "loaded")

    def __init__(self) -> None:
        self._names: frozenset[str] | None = None
        self._programs: frozenset[str] | None = None
        self.loaded: dict[str, Command | None] = {}

    def names(self) -> frozenset[str]:
        """Return all names."""
        if self._names is None:
            self._names = commands.names()
        return self._names

    def program_names(self) -> frozenset[str]:
        """Return the names of the commands that other systems have as programs."""
        if self._programs is None:
            self._programs = commands.program_names()
        return self._programs

    def load(self, name: str) -> Command | None:
        """Load a command; return None if there is none of that name."""
        if name not in self.names():
            return None
        found = self.loaded[name] = commands.command_named(name)
        return found


BUILTIN_COMMANDS = BuiltinCommands()
NO_PLUGINS: Mapping[str, Command] = {}


class CommandRegistry:
    """The commands that a shell finds by name; a host's hides keysh's of the same name."""

    __slots__ = ("disabled", "plugins")

    def __init__(self) -> None:
        self.plugins: Mapping[str, Command] = NO_PLUGINS  # a new one for a change
        self.disabled: frozenset[str] = frozenset()

    def add(self, function: Callable[..., Any], name: str = "") -> Command:
        """Add a host's function, and declare it if `@command` has not."""
        declared = getattr(function, "__keysh__", None)
        if not isinstance(declared, Command):
            declared = command_from_function(function, name)
        elif declared.is_unbound and getattr(function, "__self__", None) is not None:
            declared = declared.bound_to(function)
        name = name or declared.name
        if declared.is_unbound:
            raise DeclarationError(f"{name} is a method; pass it with its object, `object.{name}`")
        if name in ("", "<lambda>") or "/" in name or any(char.isspace() for char in name):
            raise KeyshError(f"a command cannot be named {name!r}; use `shell.add(function, NAME)`")
        declared.expands_words = True
        self.plugins = {**self.plugins, name: declared}
        return declared

    def take_over(self, other: CommandRegistry) -> None:
        """Have the commands of another shell, too; they hide those of the same name."""
        self.plugins = {**self.plugins, **other.plugins} if self.plugins else other.plugins
        self.disabled = other.disabled

    def command_named(self, name: str) -> Command | None:
        """Return a command's declaration, or None if there is none."""
        if self.plugins and name in self.plugins:
            return self.plugins[name]
        if name in self.disabled:
            return None
        command = BUILTIN_COMMANDS.loaded.get(name)
        return BUILTIN_COMMANDS.load(name) if command is None else command

    def is_builtin(self, name: str) -> bool:
        """Whether a name means a command that sh itself would have, not a program."""
        return name not in self.plugins and commands.is_shell_builtin(name)

    def names(self) -> AbstractSet[str]:
        """Return all names."""
        # Few shells change them, and each copy of the set takes 0.8 us of each script's check.
        names: AbstractSet[str] = BUILTIN_COMMANDS.names()
        if self.plugins:
            names |= self.plugins.keys()
        return names - self.disabled if self.disabled else names

    def is_program(self, name: str) -> bool:
        """Whether a command is no builtin of the shell in other systems, but a program."""
        return name in BUILTIN_COMMANDS.program_names() and name not in self.disabled

    def file_names(self) -> AbstractSet[str]:
        """Return the names of the commands that stand as files in /usr/bin."""
        return (BUILTIN_COMMANDS.program_names() | commands.BUILTINS_WITH_FILES) - self.disabled


class CheckedNames:
    """What the checker knows: the commands, and the shell's functions and aliases."""

    __slots__ = ("_more", "_registry", "has_external", "is_script", "members")

    def __init__(
        self,
        registry: CommandRegistry,
        more: Iterable[str],
        has_external: bool,
        is_script: Callable[[str], bool] = lambda name: False,
        members: Callable[[Any], Mapping[str, Command] | None] = lambda group: None,
    ) -> None:
        self._registry, self._more, self.has_external = registry, frozenset(more), has_external
        self.is_script, self.members = is_script, members

    def names(self) -> AbstractSet[str]:
        """Return every known name."""
        names = self._registry.names()
        return names | self._more if self._more else names

    def command_named(self, name: str) -> Command | None:
        """Return the declaration of a known name; None for a function."""
        return None if name in self._more else self._registry.command_named(name)


def known_members(state: State, group: Any) -> Mapping[str, Command] | None:
    """Return the members of a group; None if they cannot be had, which the call itself reports."""
    from keysh.interp.state.call import CommandFailure  # noqa: PLC0415 - few hosts have any

    try:
        members: Mapping[str, Command] = group.load(state)
    except CommandFailure:
        return None
    return members
