"""BashTool: a command in the session of an agent."""

from __future__ import annotations

from keysh.adapters.agent.guard import Guard
from keysh.adapters.agent.outputs import cut_middle
from keysh.adapters.agent.shells import ShellManager
from keysh.adapters.agent.task import FinishedCommand, UnsupportedRequest
from keysh.adapters.agent.tool import BaseTool, ToolCategory, ToolParameter
from keysh.adapters.thread import Stop, on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.interp.run.control_flow import LimitReached
from keysh.process import NotStarted
from keysh.text.shell_quoting import quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.agent.task import Task
    from keysh.adapters.agent.tool import ExecutionContext


class BashTool(BaseTool):
    """Runs commands, one at a time; what they set stays for the next.

    guard      what is refused, and what is asked for before it runs
    on_timeout "kill", or "background": a command whose time is over goes on beside the session
    """

    DEFAULT_TIMEOUT = 120_000
    MIN_TIMEOUT, MAX_TIMEOUT = 1000, 600_000

    name = "Bash"
    category = ToolCategory.EXECUTION
    description = (
        "Runs a shell command in a session: the directory, variables and functions stay for the "
        "next command. Join commands with &&, ; or |. Quote values that hold spaces. Output over "
        "30000 characters is cut in the middle, and the whole is kept in a file that is named "
        "there. What takes long runs with run_in_background; BashOutput then reads its output."
    )
    parameters = (
        ToolParameter("command", "string", "The command to run", required=True),
        ToolParameter("description", "string", "What the command does, in five to ten words"),
        ToolParameter(
            "timeout", "integer", "Milliseconds after which it is ended",
            default=DEFAULT_TIMEOUT, minimum=MIN_TIMEOUT, maximum=MAX_TIMEOUT,
        ),
        ToolParameter(
            "run_in_background", "boolean", "Go on at once, and read its output with BashOutput",
            default=False,
        ),
        ToolParameter(
            "pty", "boolean", "In the background, at a terminal, for programs that want one",
            default=False,
        ),
    )  # fmt: skip

    def __init__(
        self,
        manager: ShellManager | None = None,
        *,
        guard: Guard | None = None,
        on_timeout: str = "kill",
    ) -> None:
        if on_timeout not in ("kill", "background"):
            raise ValueError(f"on_timeout must be kill or background, but is {on_timeout!r}")
        self.manager = manager or ShellManager()
        self._guard = guard or Guard()
        self._to_background = on_timeout == "background"
        self._entered: str | None = None  # the directory a context has named last

    async def _execute(self, context: ExecutionContext, given: Mapping[str, Any]) -> ToolResult:
        command: str = given["command"]
        if given["pty"] and not given["run_in_background"]:
            return ToolResult.fail("Bash: pty needs run_in_background")
        session = self.manager.session
        cwd = session.cwd
        wanted = context.working_directory
        if wanted is not None and wanted != self._entered:
            cwd = wanted
        refusal = await self._guard.judge(
            command, cwd, dry=context.dry_run, resolve_path=self.manager.resolve_path
        )
        if refusal:
            return ToolResult.fail(refusal, command=command)
        if context.dry_run:
            return ToolResult.ok(
                f"[Dry Run] Would execute: {command}", command=command, dry_run=True
            )
        try:
            if cwd is not session.cwd and cwd != session.cwd:
                complaint = await self._enter(cwd)
                if complaint:
                    return ToolResult.fail(complaint)
            self._entered = wanted
            if given["run_in_background"]:
                return self._started(command, given["pty"])
            return await self._finished(command, given["timeout"])
        except NotStarted as error:
            return ToolResult.fail(f"Bash: {error.subject}: {error.reason}")
        except UnsupportedRequest as error:
            return ToolResult.fail(f"Bash: {error}")

    async def _enter(self, directory: str) -> str:
        """Take the session to a directory; why that cannot be."""
        done = await on_thread(
            lambda stop: self._run(f"cd -- {quoted_text(directory)}", self.DEFAULT_TIMEOUT, stop)
        )
        is_there = isinstance(done, FinishedCommand) and done.exit_code == 0
        return "" if is_there else f"Working directory not found: {directory}"

    def _started(self, command: str, pty: bool) -> ToolResult:
        """A command beside the session."""
        shell = self.manager.create_shell(command, pty=pty)
        return ToolResult.ok(
            f"Runs in the background as {shell.id}; BashOutput reads its output",
            bash_id=shell.id, status=str(shell.status),
        )  # fmt: skip

    async def _finished(self, command: str, timeout: int) -> ToolResult:
        """A command of the session, to its end or until its time is over."""
        before = self.manager.session.cwd
        done = await on_thread(lambda stop: self._run(command, timeout, stop))
        if isinstance(done, FinishedCommand):
            after = self.manager.session.cwd
            if not self._guard.is_inside(after, self.manager.resolve_path):
                await self._enter(before)
                taken = f"the session was taken back from {after} to {before}"
                done.notice = f"{done.notice}; {taken}" if done.notice else taken
            return self._told(done, timeout)
        shell = self.manager.adopt(command, done)
        return ToolResult.ok(
            f"The command still ran after {timeout} ms and was not ended: it goes on in the "
            f"background as {shell.id}, and BashOutput reads its output. The session goes on as "
            "it was before the command: what that sets from now on stays there.",
            bash_id=shell.id, status=str(shell.status), moved_to_background=True,
        )  # fmt: skip

    def _run(self, command: str, timeout: int, stop: Stop) -> FinishedCommand | Task:
        """On a thread: run a command in the session."""
        try:
            return self.manager.session.run(
                command, timeout / 1000, stop, to_background=self._to_background
            )
        except LimitReached:  # before its turn
            return FinishedCommand(130, b"", b"", "cancelled")

    def _told(self, done: FinishedCommand, timeout: int) -> ToolResult:
        """The end of a command, as a model and its host are told."""
        out, err = (data.decode("utf-8", "replace") for data in (done.stdout, done.stderr))
        joint = "\n" if out and err and not out.endswith("\n") else ""
        output, path = self.manager.outputs.preview(f"{out}{joint}{err}")
        metadata = {
            "exit_code": done.exit_code,
            "cwd": self.manager.session.cwd,
            "stderr": cut_middle(err),
            "truncated": path is not None,
        }
        if path is not None:
            metadata["output_file"] = path
        if done.notice:
            metadata["notice"] = done.notice
        if done.exit_code == 0 and not done.stop:
            return ToolResult.ok(output, **metadata)
        why = {
            "timeout": f"Command timed out after {timeout} ms and was ended",
            "cancelled": "Command was interrupted",
        }.get(done.stop, f"Exit code {done.exit_code}")
        error = f"{why}; {done.notice}" if done.notice else why
        return ToolResult.fail(error, output, **metadata)
