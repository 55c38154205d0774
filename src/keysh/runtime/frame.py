"""Frames: the functions and sourced scripts that run, and the variables they have made local."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.runtime.function import Function

OPTIONS = "-"  # among the variables of a frame: what the options were


class Frame:
    """A function or sourced script that is running, and the variables it has made local."""

    __slots__ = ("function", "line", "saved")
    is_function = True

    def __init__(self, function: Function, line: int) -> None:
        self.function, self.line = function, line
        self.saved: dict[str, tuple[Any, int]] | None = None

    def copy(self) -> Frame:
        """This frame as a subshell has it, which may change it."""
        made = self.__class__.__new__(self.__class__)
        made.function, made.line = self.function, self.line
        made.saved = None if self.saved is None else self.saved.copy()
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
        self.saved = None

    @property
    def name(self) -> str:
        return "source"

    @property
    def source(self) -> str:
        return self._source
