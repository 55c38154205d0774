"""Tools to take back what commands of the session did, and to repeat it."""

from __future__ import annotations

from keysh.adapters.agent.file_tools import SessionTool
from keysh.adapters.agent.task import UnsupportedRequest
from keysh.adapters.agent.tool import ToolCategory, ToolParameter
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.diagnostics.exceptions import UndoRefused
from keysh.interp.state.call import CommandFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh import JournalEntry
    from keysh.adapters.agent.tool import ExecutionContext

MAX_COMMANDS = 100  # to be taken back at once
COUNT = ToolParameter(
    "count", "integer", "How many commands", default=1, minimum=1, maximum=MAX_COMMANDS
)


class UndoTool(SessionTool):
    """Takes back the last commands."""

    name, title = "Undo", "Take back commands"
    category = ToolCategory.EXECUTION
    description = (
        "Takes back what the last commands, and calls of Write, did to files and to the session: "
        "variables, functions, the directory. Commands that changed nothing do not count. If "
        "anything stands in the way, such as a file that somebody else has changed since, nothing "
        "is changed, and the result says why. Redo repeats what was taken back."
    )
    verb = "Took back"
    parameters: tuple[ToolParameter, ...] = (
        COUNT,
        ToolParameter(
            "partial",
            "boolean",
            "Take back what is known of a command that may have changed more",
            default=False,
        ),
    )

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        count: int = arguments["count"]
        if context.dry_run:
            return ToolResult.ok(f"[Dry Run] Would call {self.name} for {count}", dry_run=True)
        try:
            entries = await on_thread(lambda _: self._go(arguments))
        except (CommandFailure, UndoRefused, UnsupportedRequest) as refusal:
            return ToolResult.fail(f"{self.name}: {refusal}")
        commands = [entry.text for entry in entries if entry.changes]
        listed = "".join(f"{self.verb}: {text}\n" for text in commands)
        return ToolResult.ok(listed, commands=commands, cwd=self.manager.session.cwd)

    def _go(self, arguments: Mapping[str, Any]) -> list[JournalEntry]:
        """Go back or forth; called on a thread."""
        return self.manager.undo(arguments["count"], partial=arguments["partial"])


class RedoTool(UndoTool):
    """Repeats what was taken back last."""

    name, title = "Redo", "Repeat what was taken back"
    description = (
        "Makes files and the session again what they were before Undo. The commands do not run "
        "again. A command that changes something makes an end of it."
    )
    verb = "Repeated"
    parameters = (COUNT,)

    def _go(self, arguments: Mapping[str, Any]) -> list[JournalEntry]:
        return self.manager.redo(arguments["count"])
