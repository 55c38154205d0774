"""Lazy loading: a compiler for a kind of node that many scripts do not contain.

The place is written as `folder.module.function`, relative to this package, and is imported on the
first call. The architecture test counts it as an import where it is written.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Generic, ParamSpec, TypeVar

    P = ParamSpec("P")
    R = TypeVar("R")

    class Signature(Generic[P, R]):
        """The parameters and the result of the function that is loaded."""

else:
    P = R = None

    class Signature:
        """The same without `typing`, which would double the time that keysh takes to start."""

        __slots__ = ()

        def __class_getitem__(cls, parameters: object) -> type[Signature]:
            return cls


class LazyCompiler(Signature[P, R]):
    """A function of this package that is imported when it is first called."""

    __slots__ = ("_function", "_place")

    def __init__(self, place: str) -> None:
        self._place = place
        self._function: Callable[P, R] | None = None

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        function = self._function
        if function is None:
            module, _, name = self._place.rpartition(".")
            # Not import_module: importing importlib takes longer than importing most modules here.
            home = __import__(f"keysh.compile.{module}", fromlist=[name])
            function = self._function = getattr(home, name)
        return function(*args, **kwargs)
