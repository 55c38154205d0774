"""WalkState: the position of a walk over a script, and the facts it has gathered."""

from __future__ import annotations

from keysh.check.facts import Facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.check.report import CheckReport
    from keysh.syntax import ast


class WalkState:
    """What a walk knows at a node.

    scope             the number of the script, function or fork it is in
    is_guarded        the commands here are a test, or follow one
    has_left          the script may have ended before them
    reads_status      `$?` has been read here
    command           the command whose words are walked
    depth             enclosing blocks; `postponed_blocks` are too deep for Python's stack
    """

    __slots__ = (
        "command", "depth", "facts", "function_depth", "has_left", "is_guarded", "loop_depth",
        "postponed_blocks", "reads_status", "report", "scope",
    )  # fmt: skip

    def __init__(self, report: CheckReport) -> None:
        self.report, self.facts = report, Facts()
        self.scope = self.loop_depth = self.function_depth = self.depth = 0
        self.postponed_blocks: list[tuple[ast.Block, int, int, int, int, bool, bool]] = []
        self.is_guarded = self.has_left = self.reads_status = False
        self.command: ast.Simple | None = None

    def postpone(self, block: ast.Block) -> None:
        """Walk a block later."""
        counts = (self.scope, self.facts.region, self.loop_depth, self.function_depth)
        self.postponed_blocks.append((block, *counts, self.is_guarded, self.has_left))

    def resume(self) -> ast.Block:
        """Return the block that was postponed last, and go back to its position."""
        block, scope, region, loops, functions, is_guarded, has_left = self.postponed_blocks.pop()
        self.scope, self.loop_depth, self.function_depth = scope, loops, functions
        self.facts.region = region
        self.is_guarded, self.has_left = is_guarded, has_left
        return block

    @property
    def is_failure_expected(self) -> bool:
        """Whether the script expects that a command here may fail."""
        return self.is_guarded or self.has_left
