"""Late: what compiles a kind of node that many scripts do not have, in a module loaded for it."""

from __future__ import annotations

from importlib import import_module

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
            module, _, name = self._place.partition(".")
            found = self._found = getattr(import_module(f"keysh.compile.{module}"), name)
        return found(*given, **options)
