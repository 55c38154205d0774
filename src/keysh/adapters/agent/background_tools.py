"""Tools for what runs beside the session: read its output, give it input, end it."""

from __future__ import annotations

from keysh.adapters.agent.outputs import cut_middle
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
    """A tool for a shell, whose id one of the parameters is."""

    category = ToolCategory.EXECUTION
    id_parameter = "bash_id"

    def __init__(self, manager: ShellManager) -> None:
        self.manager = manager

    async def _execute(self, context: ExecutionContext, given: Mapping[str, Any]) -> ToolResult:
        shell_id = given[self.id_parameter]
        shell = self.manager.get_shell(shell_id)
        if shell is None:
            return ToolResult.fail(f"Shell not found: {shell_id}")
        if context.dry_run:
            return ToolResult.ok(f"[Dry Run] Would do {self.name} with {shell_id}", dry_run=True)
        return await self._use(shell, given)

    async def _use(self, shell: BackgroundShell, given: Mapping[str, Any]) -> ToolResult:
        """Do it with the shell."""
        raise NotImplementedError(self.name)


class BashOutputTool(ShellTool):
    """Reads what a shell has put out since the last time."""

    name = "BashOutput"
    description = (
        "Reads the output of a shell in the background, only what is new since the last time, and "
        "its status: running, completed, failed or killed. With a filter, lines in which the "
        "regular expression is not found are left out, for good."
    )
    parameters = (
        ToolParameter("bash_id", "string", "The id of the shell", required=True),
        ToolParameter("filter", "string", "A regular expression that lines must hold"),
    )

    async def _use(self, shell: BackgroundShell, given: Mapping[str, Any]) -> ToolResult:
        regex = None
        if given["filter"]:
            try:
                regex = regex_of(given["filter"], "perl")
                regex.is_in("")  # what cannot be matched is refused before anything is read
            except (RegexError, RegexLimit) as error:
                return ToolResult.fail(f"Invalid filter regex: {error}")
        status = shell.status  # first: what it puts out later is read the next time
        texts = shell.get_new_output()
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
        output, path = self.manager.outputs.preview(f"{out}{joint}{err}")
        metadata = {
            "bash_id": shell.id, "status": str(status), "exit_code": shell.exit_code,
            "stdout": cut_middle(out), "stderr": cut_middle(err), "truncated": path is not None,
        }  # fmt: skip
        if path is not None:
            metadata["output_file"] = path
        return ToolResult.ok(output, **metadata)


def matching_lines(regex: Regex, text: str, tick: Any) -> str:
    """The lines of a text in which something is found."""
    return "".join(
        line for line in text.splitlines(keepends=True) if regex.is_in(line.rstrip("\r\n"), tick)
    )


class BashInputTool(ShellTool):
    """Gives input to a shell that runs."""

    name = "BashInput"
    description = (
        "Writes text to the standard input of a shell in the background; a line needs its newline. "
        "With end, there is no more input after it."
    )
    parameters = (
        ToolParameter("bash_id", "string", "The id of the shell", required=True),
        ToolParameter("text", "string", "The text to write", default=""),
        ToolParameter("end", "boolean", "Whether this is all", default=False),
    )

    async def _use(self, shell: BackgroundShell, given: Mapping[str, Any]) -> ToolResult:
        text: str = given["text"]
        try:
            if text and not shell.send(text):
                return ToolResult.fail(f"Shell {shell.id} reads no input", status=str(shell.status))
        except BlockingIOError as error:
            return ToolResult.fail(
                f"Shell {shell.id} does not read its input: {error.strerror or error}"
            )
        if given["end"]:
            shell.finish_input()
        said = f"{len(text)} characters were written to {shell.id}"
        return ToolResult.ok(said, bash_id=shell.id, status=str(shell.status))


class KillShellTool(ShellTool):
    """Ends a shell."""

    name = "KillShell"
    id_parameter = "shell_id"
    description = (
        "Ends a shell in the background, with all that it has started. One that has ended already "
        "is no failure."
    )
    parameters = (ToolParameter("shell_id", "string", "The id of the shell", required=True),)

    async def _use(self, shell: BackgroundShell, given: Mapping[str, Any]) -> ToolResult:
        was_running = await on_thread(lambda _: shell.kill())
        if was_running:
            said = f"Shell {shell.id} terminated"
        else:
            said = f"Shell {shell.id} had ended already, with status {shell.exit_code}"
        return ToolResult.ok(said, shell_id=shell.id, status=str(shell.status))
