"""Local variables: made in the frame of the function that runs."""

from __future__ import annotations

from keysh.interp.run.function import SAVED_OPTIONS_KEY
from keysh.interp.run.options import OPTION_BITS, SET_OPTIONS
from keysh.interp.variables.variable import EXPORTED, READONLY
from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.function import Frame
    from keysh.interp.state.state import State

SET_OPTION_BITS = sum(OPTION_BITS[name] for name in SET_OPTIONS)


def make_local(state: State, name: str) -> None:
    """Make a variable local to the function that runs; it is unset at first."""
    frames = state.frames
    at = len(frames) - 1
    frame = frames[at]
    while not frame.is_function:
        at -= 1
        frame = frames[at]
    saved = frame.saved_variables
    if saved is None or name not in saved:
        if at < state.shared_frames:
            saved = state.saved_by(at)
        elif saved is None:
            saved = frame.saved_variables = {}
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


def is_readonly_here(state: State, name: str) -> bool:
    """Whether a variable cannot be made local: it is readonly, for all or for this function."""
    if not state.attributes.get(name, 0) & READONLY:
        return False
    around = [
        frame
        for frame in state.frames
        if frame.saved_variables is not None and name in frame.saved_variables
    ]
    return not around or around[-1] is function_frame(state)


def make_options_local(state: State) -> None:
    """`local -`: what `set` turns on and off holds until the function ends."""
    frames = state.frames
    at = max(at for at, frame in enumerate(frames) if frame.is_function)
    state.saved_by(at).setdefault(SAVED_OPTIONS_KEY, (state.flags, 0))


def restore_options(state: State, flags: int) -> None:
    """Turn the options of `set` on and off again, as they were."""
    state.flags = state.flags & ~SET_OPTION_BITS | flags & SET_OPTION_BITS


def function_frame(state: State) -> Frame | None:
    """The function that runs, if any; a script that it sources is a part of it."""
    return next((frame for frame in reversed(state.frames) if frame.is_function), None)
