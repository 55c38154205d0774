"""Place: where a walk over a script is."""

from __future__ import annotations

from keysh.check.facts import Facts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.check.report import CheckReport
    from keysh.syntax import ast


class WalkState:
    """The scope, and how many loops and functions are open around.

    `is_guarded` says that the commands here are tested or stand behind a test, `has_left` that the
    script may have ended before them, `reads_status` that `$?` has been read here; `command` is the
    one whose words are walked. `depth` counts the blocks around; those too deep for Python's stack
    stand in `waiting`, each with its place.
    """

    __slots__ = (
        "command", "depth", "facts", "function_depth", "has_left", "is_guarded", "loop_depth",
        "reads_status", "report", "scope", "postponed_blocks",
    )  # fmt: skip

    def __init__(self, report: CheckReport) -> None:
        self.report, self.facts = report, Facts()
        self.scope = self.loop_depth = self.function_depth = self.depth = 0
        self.postponed_blocks: list[tuple[ast.Block, int, int, int, int, bool, bool]] = []
        self.is_guarded = self.has_left = self.reads_status = False
        self.command: ast.Simple | None = None

    def postpone(self, block: ast.Block) -> None:
        """Leave a block for later."""
        counts = (self.scope, self.facts.region, self.loop_depth, self.function_depth)
        self.postponed_blocks.append((block, *counts, self.is_guarded, self.has_left))

    def resume(self) -> ast.Block:
        """The block that was postponed last; this is its place again."""
        block, scope, region, loops, functions, is_guarded, has_left = self.postponed_blocks.pop()
        self.scope, self.loop_depth, self.function_depth = scope, loops, functions
        self.facts.region = region
        self.is_guarded, self.has_left = is_guarded, has_left
        return block

    @property
    def is_failure_expected(self) -> bool:
        """Whether what fails here is expected to."""
        return self.is_guarded or self.has_left
