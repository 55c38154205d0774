"""Registry: what the checker asks of whoever knows the commands."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet
    from typing import Protocol

    from keysh.schema.command import Command

    class Registry(Protocol):
        """The commands that a script can use besides those that it defines itself."""

        @property
        def has_external(self) -> bool:
            """Whether names beyond `names()` may be found when the script runs, as programs."""

        def names(self) -> AbstractSet[str]:
            """Every known name: builtins, plugins, functions and aliases that are there already."""

        def command_named(self, name: str) -> Command | None:
            """A known name's declaration; none for what has no declaration, as a function."""

        def is_script(self, name: str) -> bool:
            """Whether a name that is not known is that of a script on `$PATH`."""
