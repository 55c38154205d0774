"""The surroundings of a run that stands inside another one."""

from __future__ import annotations

from keysh.interp.variables.variable import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State


class Surrounding:
    """What a run inside another one must leave as it was: where the other one stands."""

    __slots__ = ("depth", "exit_trap", "frames", "is_tested", "loops", "status", "trapped")

    def __init__(self, state: State) -> None:
        self.depth, self.loops, self.is_tested = state.depth, state.loops, state.is_tested
        self.status, self.trapped, self.frames = state.status, state.trapped, len(state.frames)
        self.exit_trap = state.traps.pop("EXIT", ABSENT)
        state.loops = state.is_tested = 0

    def put_back(self, state: State) -> None:
        """Go on where the other one stands."""
        state.depth, state.loops, state.is_tested = self.depth, self.loops, self.is_tested
        state.status, state.trapped = self.status, self.trapped
        del state.frames[self.frames :]
        if self.exit_trap is not ABSENT:
            state.traps["EXIT"] = self.exit_trap
