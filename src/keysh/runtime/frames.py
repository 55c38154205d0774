"""Frames: the functions and sourced scripts that run, and the variables they have made local."""

from __future__ import annotations

from keysh.runtime.state import ABSENT, EXPORTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.runtime.functions import Function
    from keysh.runtime.state import State


class Frame:
    """A function or sourced script that is running, and the variables it has made local."""

    __slots__ = ("function", "line", "saved")
    is_function = True

    def __init__(self, function: Function, line: int) -> None:
        self.function, self.line = function, line
        self.saved: dict[str, tuple[Any, int]] | None = None

    def copy(self) -> Frame:
        """The same for a subshell."""
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


def make_local(state: State, name: str) -> None:
    """Make a variable local to the function that runs; it is unset at first."""
    frames = state.frames
    at = len(frames) - 1
    frame = frames[at]
    while not frame.is_function:
        at -= 1
        frame = frames[at]
    saved = frame.saved
    if saved is None or name not in saved:
        if at < state.shared_frames:
            saved = state.saved_by(at)
        elif saved is None:
            saved = frame.saved = {}
        bits = state.attributes.pop(name, 0)
        value = state.variables.pop(name, ABSENT)
        saved[name] = (value, bits)
        if state.temporary and value is not ABSENT and name in state.temporary:
            state.variables[name] = value  # as in bash, what was set for a call is its local
            before, attributes, place = state.temporary[name]
            if place == len(frames):
                saved[name] = (before, attributes)
        if bits & EXPORTED:  # as in bash, what commands see they see where it is local too
            state.attributes[name] = EXPORTED


def restore(state: State, saved: dict[str, tuple[Any, int]]) -> None:
    """Give the variables back what they were before they were local."""
    variables, attributes = state.variables, state.attributes
    for name, (value, bits) in saved.items():
        if value is ABSENT:
            variables.pop(name, None)
        else:
            variables[name] = value
            if state.owned is not None:
                state.owned.discard(name)
        if bits:
            attributes[name] = bits
        elif name in attributes:
            del attributes[name]


def function_frame(state: State) -> Frame | None:
    """The function that runs, if any; a script that it sources is a part of it."""
    return next((frame for frame in reversed(state.frames) if frame.is_function), None)
