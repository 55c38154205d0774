"""Position: where in a script a state is, by its frames and counters."""

from __future__ import annotations

from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.standard_streams import Connections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.function import Frame
    from keysh.interp.run.site import Site


class Position(Connections):
    """The running functions and sourced scripts, and what encloses the current command.

    frames         running functions and sourced scripts; the first `shared_frames` are the parent's
    depth          nested functions, substitutions, sourced scripts and traps, at most `max_depth`
    level          nested subshells: $BASH_SUBSHELL
    loops          enclosing loops of the current function
    nesting        enclosing `$(…)`, `eval` and `source`, for the prefix of `set -x`
    is_tested      enclosing conditions: above 0 a failure does not end the shell
    expression_depth  nested expressions, where a variable of bash holds one
    is_in_trap     whether a trap is running
    site           the command that runs, for the place in front of its messages
    evaluating_site  the command that evaluates the text of `eval` or of a trap

    Most conditions are known when a script is compiled. `is_tested` is for what only the run knows:
    that the function or `$(…)` that runs here was called in a condition. A tested command adds 1
    while it runs. A stage of a pipeline is compiled as tested, because only the status of the
    pipeline counts, but what runs inside it is not: it subtracts 1.
    """

    __slots__ = (
        "depth", "evaluating_site", "expression_depth", "frames", "is_in_trap", "is_tested",
        "level", "loops", "max_depth", "nesting", "shared_frames", "site",
    )  # fmt: skip

    frames: list[Frame]
    depth: int
    expression_depth: int
    is_in_trap: bool
    is_tested: int
    level: int
    loops: int
    max_depth: int
    nesting: int
    shared_frames: int
    site: Site | None
    evaluating_site: Site | None

    def reset_position(self) -> None:
        """Reset for the next run, wherever this one was left."""
        self.depth = self.loops = self.is_tested = self.expression_depth = 0
        self.is_in_trap = False
        self.evaluating_site = None
        self.frames.clear()

    def enter_level(self) -> None:
        """Enter a function, substitution, script or trap; raise LimitReached if too deep."""
        self.depth += 1
        if self.depth > self.max_depth:
            self.depth -= 1
            raise LimitReached("depth", self.max_depth + 1, self.max_depth)
