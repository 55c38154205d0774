"""Code: a script that is compiled, which an execution runs."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.tools.sed.script import SedScript


class CompiledScript:
    """A script ready to run: `function` takes the Execution and yields what is printed.

    From `last_line` on, unless it is -1, no step does anything, but perhaps at the last line, where
    `sees_last` says so.
    """

    __slots__ = ("function", "is_silent", "last_line", "sees_last")

    def __init__(
        self, function: Callable[[Any], Iterator[str]], script: SedScript, is_silent: bool
    ) -> None:
        self.function, self.is_silent = function, is_silent
        self.last_line, self.sees_last = script.last_active_line()
