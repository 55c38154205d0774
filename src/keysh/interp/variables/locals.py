"""Local variables of the running function."""

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
    """Make a variable local to the running function; it starts unset."""
    frames = state.frames
    index = len(frames) - 1
    frame = frames[index]
    while not frame.is_function:
        index -= 1
        frame = frames[index]
    saved = frame.saved_variables
    if saved is None or name not in saved:
        if index < state.shared_frames:
            saved = state.saved_by(index)
        elif saved is None:
            saved = frame.saved_variables = {}
        bits = state.attributes.pop(name, 0)
        value = state.variables.pop(name, ABSENT)
        saved[name] = (value, bits)
        if state.temporary and value is not ABSENT and name in state.temporary:
            state.variables[name] = value  # as in bash, `x=1 f` makes x local in f
            before, attributes, depth = state.temporary[name]
            if depth == len(frames):
                saved[name] = (before, attributes)
        if bits & EXPORTED:  # as in bash, a local stays exported
            state.attributes[name] = EXPORTED


def is_readonly_here(state: State, name: str) -> bool:
    """Whether a variable cannot become local: readonly globally or in this function."""
    if not state.attributes.get(name, 0) & READONLY:
        return False
    around = [
        frame
        for frame in state.frames
        if frame.saved_variables is not None and name in frame.saved_variables
    ]
    return not around or around[-1] is function_frame(state)


def make_options_local(state: State) -> None:
    """`local -`: restore the options of `set` when the function ends."""
    frames = state.frames
    at = max(at for at, frame in enumerate(frames) if frame.is_function)
    state.saved_by(at).setdefault(SAVED_OPTIONS_KEY, (state.flags, 0))


def restore_options(state: State, flags: int) -> None:
    """Restore the options of `set` from saved flags."""
    state.flags = state.flags & ~SET_OPTION_BITS | flags & SET_OPTION_BITS


def function_frame(state: State) -> Frame | None:
    """Return the frame of the running function, skipping scripts that it sources."""
    return next((frame for frame in reversed(state.frames) if frame.is_function), None)
