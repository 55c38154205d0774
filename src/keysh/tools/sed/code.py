"""A compiled script."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from keysh.tools.sed.script import SedScript


class CompiledScript:
    """A compiled script: `function` takes the Execution and yields the output.

    After line `last_line`, unless that is -1, no step applies, except to the last line if
    `sees_last`.
    """

    __slots__ = ("function", "is_silent", "last_line", "sees_last")

    def __init__(
        self, function: Callable[[Any], Iterator[str]], script: SedScript, is_silent: bool
    ) -> None:
        self.function, self.is_silent = function, is_silent
        self.last_line, self.sees_last = script.last_active_line()
