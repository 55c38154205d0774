"""The surroundings of a run that stands inside another one."""

from __future__ import annotations

from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State


class NestedRun:
    """What a run inside another one must leave as it was: where the other one stands."""

    __slots__ = ("depth", "exit_trap", "frames", "is_tested", "loops", "status", "is_in_trap")

    def __init__(self, state: State) -> None:
        self.depth, self.loops, self.is_tested = state.depth, state.loops, state.is_tested
        self.status, self.is_in_trap, self.frames = (
            state.status,
            state.is_in_trap,
            len(state.frames),
        )
        self.exit_trap = state.traps.pop("EXIT", ABSENT)
        state.loops = state.is_tested = 0

    def restore(self, state: State) -> None:
        """Go on where the other one stands."""
        state.depth, state.loops, state.is_tested = self.depth, self.loops, self.is_tested
        state.status, state.is_in_trap = self.status, self.is_in_trap
        del state.frames[self.frames :]
        if self.exit_trap is not ABSENT:
            state.traps["EXIT"] = self.exit_trap
