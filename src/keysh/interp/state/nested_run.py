"""NestedRun: saves and restores the position of a run that another run interrupts."""

from __future__ import annotations

from keysh.values import ABSENT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State


class NestedRun:
    """The position of the outer run while an inner run uses the same state."""

    __slots__ = (
        "depth", "dialect", "exit_trap", "frames", "is_in_trap", "is_tested", "loops", "site",
        "status",
    )  # fmt: skip

    def __init__(self, state: State) -> None:
        self.depth, self.loops, self.is_tested = state.depth, state.loops, state.is_tested
        self.status, self.is_in_trap, self.frames = (
            state.status,
            state.is_in_trap,
            len(state.frames),
        )
        self.dialect = state.dialect
        self.site = state.site
        self.exit_trap = state.traps.pop("EXIT", ABSENT)
        state.loops = state.is_tested = 0

    def restore(self, state: State) -> None:
        """Restore the position of the outer run."""
        state.depth, state.loops, state.is_tested = self.depth, self.loops, self.is_tested
        state.status, state.is_in_trap = self.status, self.is_in_trap
        state.dialect = self.dialect
        state.site = self.site
        del state.frames[self.frames :]
        if self.exit_trap is not ABSENT:
            state.traps["EXIT"] = self.exit_trap
