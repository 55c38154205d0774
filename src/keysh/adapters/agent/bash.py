"""The tool Bash: run a command in the session of an agent."""

from __future__ import annotations

from keysh.adapters.agent.changes_summary import changes_summary
from keysh.adapters.agent.guard import Guard
from keysh.adapters.agent.shell_session import ShellSession
from keysh.adapters.agent.shells import ShellManager
from keysh.adapters.agent.task import FinishedCommand, UnsupportedRequest
from keysh.adapters.agent.tool import BaseTool, ToolCategory, ToolParameter
from keysh.adapters.thread import Stop, on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.diagnostics.exceptions import refuse
from keysh.interp.run.control_flow import LimitReached
from keysh.process import NotStarted
from keysh.text.shell_quoting import quoted_text
from keysh.tools.result import RESULT_DIRECTORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.agent.task import Task
    from keysh.adapters.agent.tool import ExecutionContext


def check_promote_after(promote_after: object) -> None:
    """Raise TypeError for what cannot be the time after which a command moves."""
    if promote_after is not None and (
        not isinstance(promote_after, int | float) or not promote_after > 0
    ):
        refuse("promote_after", "milliseconds above 0", promote_after, "promote_after=20_000")


class BashTool(BaseTool):
    """Runs commands one at a time; their state lasts for the next command.

    guard      refuses commands, or asks for confirmation
    on_timeout "kill", or "background": a command that times out continues as a background shell
    promote_after  milliseconds after which any command does that
    """

    DEFAULT_TIMEOUT = 120_000
    MIN_TIMEOUT, MAX_TIMEOUT = 1000, 600_000

    name, title = "Bash", "Run a command"
    hints = {"destructiveHint": True, "openWorldHint": True}  # noqa: RUF012 - nobody changes it
    category = ToolCategory.EXECUTION
    description = (
        "Runs a shell command in a session: the directory, variables and functions last for the "
        "next command. Join commands with &&, ; or |. Quote values that contain spaces. Long "
        "output is cut in the middle, and the whole is kept in a file that is named there. Use "
        "run_in_background for long commands, and read their output with BashOutput."
    )
    parameters = (
        ToolParameter("command", "string", "The command to run", required=True),
        ToolParameter("description", "string", "What the command does, in five to ten words"),
        ToolParameter(
            "timeout", "integer", "Milliseconds until it is killed",
            default=DEFAULT_TIMEOUT, minimum=MIN_TIMEOUT, maximum=MAX_TIMEOUT,
        ),
        ToolParameter(
            "run_in_background", "boolean", "Return at once; read the output with BashOutput",
            default=False,
        ),
        ToolParameter(
            "pty", "boolean", "In the background, at a terminal, for programs that need one",
            default=False,
        ),
    )  # fmt: skip

    def __init__(
        self,
        manager: ShellManager | None = None,
        *,
        guard: Guard | None = None,
        on_timeout: str = "kill",
        promote_after: float | None = None,
    ) -> None:
        check_promote_after(promote_after)
        if on_timeout not in ("kill", "background"):
            raise ValueError(f"on_timeout must be kill or background, but is {on_timeout!r}")
        self.manager = manager or ShellManager()
        self._guard = guard or Guard()
        self._to_background, self._promote_after = on_timeout == "background", promote_after
        moves = self._to_background or promote_after is not None
        if moves and isinstance(self.manager.session, ShellSession):
            raise ValueError("a command in a shell of the host cannot continue in the background")
        self._entered: str | None = None  # the directory that a context named last

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        command: str = arguments["command"]
        if arguments["pty"] and not arguments["run_in_background"]:
            return ToolResult.fail("Bash: pty needs run_in_background")
        session = self.manager.session
        cwd = session.cwd
        requested = context.working_directory
        if requested is not None and requested != self._entered:
            cwd = requested
        refusal = await self._guard.judge(
            command, cwd, dry=context.dry_run, resolve_path=self.manager.resolve_path,
            dialect=session.dialect,
        )  # fmt: skip
        if refusal:
            return ToolResult.fail(refusal, command=command)
        if context.dry_run:
            return ToolResult.ok(
                f"[Dry Run] Would execute: {command}", command=command, dry_run=True
            )
        try:
            if cwd is not session.cwd and cwd != session.cwd:
                error = await self._enter(cwd)
                if error:
                    return ToolResult.fail(error)
            self._entered = requested
            if arguments["run_in_background"]:
                return self._start(command, arguments["pty"])
            return await self._run_to_end(command, arguments["timeout"])
        except NotStarted as failure:
            return ToolResult.fail(f"Bash: {failure.subject}: {failure.reason}")
        except UnsupportedRequest as failure:
            return ToolResult.fail(f"Bash: {failure}")

    async def _enter(self, directory: str) -> str:
        """Change the directory of the session; return an error message, or an empty string."""
        done = await on_thread(
            lambda stop: self._run(f"cd -- {quoted_text(directory)}", self.DEFAULT_TIMEOUT, stop)
        )
        is_there = isinstance(done, FinishedCommand) and done.exit_code == 0
        return "" if is_there else f"Working directory not found: {directory}"

    def _start(self, command: str, pty: bool) -> ToolResult:
        """Start a command in the background."""
        shell = self.manager.create_shell(command, pty=pty)
        return ToolResult.ok(
            f"Running in the background as {shell.id}; read its output with BashOutput",
            **shell.record(),
        )

    async def _run_to_end(self, command: str, timeout: int) -> ToolResult:
        """Run a command in the session until it ends or times out."""
        before = self.manager.session.cwd
        done = await on_thread(lambda stop: self._run(command, timeout, stop))
        if isinstance(done, FinishedCommand):
            after = self.manager.session.cwd
            if not self._guard.is_inside(after, self.manager.resolve_path):
                await self._enter(before)
                notice = f"the session was moved back from {after} to {before}"
                done.notice = f"{done.notice}; {notice}" if done.notice else notice
            return self._result_of(command, done, timeout)
        shell = self.manager.adopt(command, done)
        waited = timeout if self._promote_after is None else min(timeout, self._promote_after)
        return ToolResult.ok(
            f"The command was still running after {waited:g} ms and continues in the background as "
            f"{shell.id}; read its output with BashOutput. The session is as it was before the "
            "command: what the command changes from now on does not affect it.",
            **shell.record(), moved_to_background=True,
        )  # fmt: skip

    def _run(self, command: str, timeout: int, stop: Stop) -> FinishedCommand | Task:
        """Run a command in the session; called on a thread."""
        moves, waited = self._to_background, float(timeout)
        if self._promote_after is not None and self._promote_after < timeout:
            moves, waited = True, self._promote_after
        try:
            return self.manager.session.run(command, waited / 1000, stop, to_background=moves)
        except LimitReached:  # cancelled before its turn
            return FinishedCommand(130, b"", b"", "cancelled")

    def _result_of(self, command: str, done: FinishedCommand, timeout: int) -> ToolResult:
        """Return the result of a command for the model and its host."""
        out, err = (data.decode("utf-8", "replace") for data in (done.stdout, done.stderr))
        joint = "\n" if out and err and not out.endswith("\n") else ""
        output, cut = self.manager.outputs.preview(f"{out}{joint}{err}", done.lost_bytes)
        metadata: dict[str, Any] = {
            "command": command,
            "exit_code": done.exit_code,
            "cwd": self.manager.session.cwd,
            "stderr": self.manager.outputs.cut_middle(err),
        }
        number = self.manager.outputs.keep_result(done.stdout)
        if number is not None:
            metadata |= {"result": number, "result_file": f"{RESULT_DIRECTORY}/{number}"}
        if cut is not None:
            metadata["cut"] = cut
        if done.limit is not None:
            metadata["limit"] = done.limit
        if done.notice:
            metadata["notice"] = done.notice
        if done.changes:
            metadata["changes"] = changes_summary(done.changes)
        if done.exit_code == 0 and not done.stop:
            return ToolResult.ok(output, **metadata)
        why = {
            "timeout": f"Command timed out after {timeout} ms and was ended",
            "cancelled": "Command was interrupted",
        }.get(done.stop, f"Exit code {done.exit_code}")
        error = f"{why}; {done.notice}" if done.notice else why
        return ToolResult.fail(error, output, **metadata)
