"""Tools for background shells: read output, write input, and kill."""

from __future__ import annotations

from keysh.adapters.agent.shells import ShellManager
from keysh.adapters.agent.tool import BaseTool, ToolCategory, ToolParameter
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.text.regex.regex import RegexError, RegexLimit, regex_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.agent.shells import BackgroundShell
    from keysh.adapters.agent.tool import ExecutionContext
    from keysh.text.regex.regex import Regex


class ShellTool(BaseTool):
    """A tool for one background shell, whose id is a parameter."""

    category = ToolCategory.EXECUTION
    id_parameter = "bash_id"

    def __init__(self, manager: ShellManager) -> None:
        self.manager = manager

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        shell_id = arguments[self.id_parameter]
        shell = self.manager.get_shell(shell_id)
        if shell is None:
            return ToolResult.fail(f"Shell not found: {shell_id}")
        if context.dry_run:
            return ToolResult.ok(f"[Dry Run] Would use {self.name} on {shell_id}", dry_run=True)
        return await self._use(shell, arguments)

    async def _use(self, shell: BackgroundShell, arguments: Mapping[str, Any]) -> ToolResult:
        """Use the tool on the shell."""
        raise NotImplementedError(self.name)


class BashOutputTool(ShellTool):
    """Reads the new output of a shell."""

    name, title = "BashOutput", "Read the output of a background shell"
    hints = {"destructiveHint": False, "openWorldHint": False}  # noqa: RUF012 - nobody changes it
    description = (
        "Reads the output of a background shell since the last call, and its status: running, "
        "completed, failed or killed. With a filter, only lines that match the regular expression "
        "are returned, and the others are lost."
    )
    parameters = (
        ToolParameter("bash_id", "string", "The id of the shell", required=True),
        ToolParameter("filter", "string", "A regular expression that lines must match"),
    )

    async def _use(self, shell: BackgroundShell, arguments: Mapping[str, Any]) -> ToolResult:
        regex = None
        if arguments["filter"]:
            try:
                regex = regex_of(arguments["filter"], "perl")
                regex.is_in("")  # refuse an unusable expression before output is consumed
            except (RegexError, RegexLimit) as error:
                return ToolResult.fail(f"Invalid filter regex: {error}")
        status = shell.status  # before the output: later output is left for the next call
        texts, lost_bytes = shell.get_new_output(), shell.lost_bytes
        if regex is not None:
            try:
                texts = await on_thread(lambda stop: (
                    matching_lines(regex, texts[0], stop.budget.check),
                    matching_lines(regex, texts[1], stop.budget.check),
                ))  # fmt: skip
            except RegexLimit as error:
                return ToolResult.fail(f"Filter not applied: {error}", "".join(texts))
        out, err = texts
        joint = "\n" if out and err and not out.endswith("\n") else ""
        output, cut = self.manager.outputs.preview(f"{out}{joint}{err}", lost_bytes)
        shorten = self.manager.outputs.cut_middle
        metadata: dict[str, Any] = {
            **shell.record(status), "stdout": shorten(out), "stderr": shorten(err)
        }  # fmt: skip
        if cut is not None:
            metadata["cut"] = cut
        return ToolResult.ok(output, **metadata)


def matching_lines(regex: Regex, text: str, tick: Any) -> str:
    """Return the lines of a text that match."""
    return "".join(
        line for line in text.splitlines(keepends=True) if regex.is_in(line.rstrip("\r\n"), tick)
    )


class BashInputTool(ShellTool):
    """Writes to the standard input of a shell."""

    name, title = "BashInput", "Write to a background shell"
    description = (
        "Writes text to the standard input of a background shell; a line needs its newline. "
        "With end, the input is closed after it."
    )
    parameters = (
        ToolParameter("bash_id", "string", "The id of the shell", required=True),
        ToolParameter("text", "string", "The text to write", default=""),
        ToolParameter("end", "boolean", "Whether to close the input after the text", default=False),
    )

    async def _use(self, shell: BackgroundShell, arguments: Mapping[str, Any]) -> ToolResult:
        text: str = arguments["text"]
        try:
            if text and not shell.send(text):
                return ToolResult.fail(f"Shell {shell.id} reads no input", **shell.record())
        except BlockingIOError as error:
            reason = error.strerror or error
            return ToolResult.fail(
                f"Shell {shell.id} does not read its input: {reason}", **shell.record()
            )
        if arguments["end"]:
            shell.finish_input()
        message = f"{len(text)} characters were written to {shell.id}"
        return ToolResult.ok(message, **shell.record())


class KillShellTool(ShellTool):
    """Kills a shell."""

    name, title = "KillShell", "Kill a background shell"
    hints = {"destructiveHint": True, "idempotentHint": True}  # noqa: RUF012 - nobody changes it
    id_parameter = "shell_id"
    description = (
        "Kills a background shell and all processes it has started. It succeeds if the shell has "
        "already ended."
    )
    parameters = (ToolParameter("shell_id", "string", "The id of the shell", required=True),)

    async def _use(self, shell: BackgroundShell, arguments: Mapping[str, Any]) -> ToolResult:
        was_running = await on_thread(lambda _: shell.kill())
        if was_running:
            message = f"Shell {shell.id} terminated"
        else:
            message = f"Shell {shell.id} had already ended, with status {shell.exit_code}"
        return ToolResult.ok(message, **shell.record())
