"""Position: where in a script a state is, by its frames and counters."""

from __future__ import annotations

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.standard_streams import Connections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.function import Frame


class Position(Connections):
    """The running functions and sourced scripts, and what encloses the current command.

    frames         running functions and sourced scripts; the first `shared_frames` are the parent's
    depth          nested functions, substitutions, sourced scripts and traps, at most `max_depth`
    level          nested subshells: $BASH_SUBSHELL
    loops          enclosing loops of the current function
    nesting        enclosing `$(…)`, `eval` and `source`, for the prefix of `set -x`
    is_tested      enclosing conditions: above 0 a failure does not end the shell
    is_in_trap     whether a trap is running
    call_line      the line of the call of the builtin that runs, for `source`

    Most conditions are known when a script is compiled. `is_tested` is for what only the run knows:
    that the function or `$(…)` that runs here was called in a condition. A tested command adds 1
    while it runs. A stage of a pipeline is compiled as tested, because only the status of the
    pipeline counts, but what runs inside it is not: it subtracts 1.
    """

    __slots__ = (
        "call_line", "depth", "frames", "is_in_trap", "is_tested", "level", "loops", "max_depth",
        "nesting", "shared_frames",
    )  # fmt: skip

    frames: list[Frame]
    call_line: int
    depth: int
    is_in_trap: bool
    is_tested: int
    level: int
    loops: int
    max_depth: int
    nesting: int
    shared_frames: int

    def reset_position(self) -> None:
        """Reset for the next run, wherever this one was left."""
        self.depth = self.loops = self.is_tested = 0
        self.is_in_trap = False
        self.frames.clear()

    def enter_level(self) -> None:
        """Enter a function, substitution, script or trap; raise LimitReached if too deep."""
        self.depth += 1
        if self.depth > self.max_depth:
            self.depth -= 1
            raise LimitReached("depth", self.max_depth + 1, self.max_depth)
