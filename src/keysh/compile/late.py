"""Late: what compiles a kind of node that many scripts do not have, in a module loaded for it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class LazyCompiler:
    """Calls a function of this folder, named as `module.function`, and loads it first."""

    __slots__ = ("_function", "_qualified_name")

    def __init__(self, place: str) -> None:
        self._qualified_name = place
        self._function: Callable[..., Any] | None = None

    def __call__(self, *given: Any, **options: Any) -> Any:
        found = self._function
        if found is None:
            module, _, name = self._qualified_name.rpartition(".")
            # Not import_module, which takes longer to load itself than most modules.
            home = __import__(f"keysh.compile.{module}", fromlist=[name])
            found = self._function = getattr(home, name)
        return found(*given, **options)
