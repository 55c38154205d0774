"""Late: what compiles a kind of node that many scripts do not have, in a module loaded for it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


class Late:
    """Calls a function of this folder, named as `module.function`, and loads it first."""

    __slots__ = ("_found", "_place")

    def __init__(self, place: str) -> None:
        self._place = place
        self._found: Callable[..., Any] | None = None

    def __call__(self, *given: Any, **options: Any) -> Any:
        found = self._found
        if found is None:
            module, _, name = self._place.rpartition(".")
            # Not import_module, which takes longer to load itself than most modules.
            home = __import__(f"keysh.compile.{module}", fromlist=[name])
            found = self._found = getattr(home, name)
        return found(*given, **options)
