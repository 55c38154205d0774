"""Tools that tell what there is: the commands, their help, and what the last ones changed."""

from __future__ import annotations

import re
from fnmatch import translate

from keysh.adapters.agent.changes_summary import changes_summary
from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.adapters.agent.tool import BaseTool, ToolCategory, ToolParameter
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult, changes_text
from keysh.diagnostics.suggestions import closest_names
from keysh.schema.arguments import InvalidArguments
from keysh.schema.command_group import select_member
from keysh.schema.render import group_help_text, help_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.agent.shells import ShellManager
    from keysh.adapters.agent.tool import ExecutionContext

MAX_LISTED_ENTRIES = 100  # of the history


class ReferenceTool(BaseTool):
    """A tool that reads what a session knows, and changes nothing."""

    category = ToolCategory.EXECUTION
    hints = {"readOnlyHint": True, "openWorldHint": False}  # noqa: RUF012 - nobody changes it

    def __init__(self, manager: ShellManager, session: KeyshSession) -> None:
        self.manager, self.session = manager, session

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        output: ToolResult = await on_thread(lambda _: self._answer(arguments))
        return output

    def _answer(self, arguments: Mapping[str, Any]) -> ToolResult:
        """Return the result; called on a thread."""
        raise NotImplementedError(self.name)


class ListCommandsTool(ReferenceTool):
    """Lists the commands."""

    name, title = "ListCommands", "List the commands"
    description = (
        "Lists the commands of the shell, each with a line about it. With a pattern such as "
        "`*zip*` only those whose names match."
    )
    parameters = (ToolParameter("pattern", "string", "A pattern for names", default="*"),)

    def _answer(self, arguments: Mapping[str, Any]) -> ToolResult:
        registry = self.session.registry
        is_wanted = re.compile(translate(arguments["pattern"])).match
        lines = []
        for name in sorted(filter(is_wanted, registry.names())):
            declared = registry.command_named(name)
            lines.append(f"{name} - {declared.summary}" if declared is not None else name)
        return ToolResult.ok("".join(f"{line}\n" for line in lines), count=len(lines))


class HelpTool(ReferenceTool):
    """Shows the help of a command."""

    name, title = "Help", "Show the help of a command"
    description = (
        "Shows the help of a command: its options, operands and types. A tool of a server is named "
        "after its group, as in `weather forecast`."
    )
    parameters = (ToolParameter("command", "string", "The name of the command", required=True),)

    def _answer(self, arguments: Mapping[str, Any]) -> ToolResult:
        words = arguments["command"].split()
        registry = self.session.registry
        declared: Any = registry.command_named(words[0]) if words else None
        if declared is None:
            near = closest_names(words[0], registry.names()) if words else []
            fix = f"; did you mean {near[0]}?" if near else ""
            return ToolResult.fail(f"there is no command {arguments['command']!r:.100}{fix}")
        if not declared.is_group:
            return ToolResult.ok(help_text(declared))
        members = self.session.group_members(declared)
        if members is None:
            return ToolResult.fail(f"the tools of {words[0]} cannot be had; `{words[0]}` says why")
        if len(words) == 1:
            return ToolResult.ok(group_help_text(declared, members))
        try:
            selected = select_member(members, words[1:2], are_texts=True)
        except InvalidArguments as error:
            return ToolResult.fail(f"{error.message}; {error.fix}" if error.fix else error.message)
        assert selected is not None
        return ToolResult.ok(help_text(selected[0]))


class ChangesTool(ReferenceTool):
    """Lists what the last commands changed."""

    name, title = "Changes", "List what commands changed"
    description = (
        "Lists the last commands that changed something, and what they changed in files and in the "
        "session. Undo takes them back, the last one first."
    )
    parameters = (
        ToolParameter(
            "count", "integer", "How many commands", default=10, minimum=1,
            maximum=MAX_LISTED_ENTRIES,
        ),
    )  # fmt: skip

    def _answer(self, arguments: Mapping[str, Any]) -> ToolResult:
        entries = [entry for entry in self.session.history if entry.changes]
        records: list[dict[str, Any]] = [
            {"command": entry.text, "changes": changes_summary(entry.changes)}
            for entry in reversed(entries[-arguments["count"] :])
        ]
        lines = [f"{one['command']}: {changes_text(one['changes'])}\n" for one in records]
        output, cut = self.manager.outputs.preview("".join(lines))
        more = {} if cut is None else {"cut": cut}
        return ToolResult.ok(output, commands=records, **more)
