"""Tools to read and write the files of a session, and to reset it."""

from __future__ import annotations

from errno import EPERM
from os import strerror

from keysh.adapters.agent.changes_summary import changes_summary
from keysh.adapters.agent.guard import Guard
from keysh.adapters.agent.outputs import OUTPUT_DIRECTORY
from keysh.adapters.agent.shells import ShellManager
from keysh.adapters.agent.tool import BaseTool, ToolCategory, ToolParameter
from keysh.adapters.thread import on_thread
from keysh.adapters.tool_result import ToolResult
from keysh.interp.state.call import CommandFailure, os_error_text
from keysh.vfs.paths import is_below

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.adapters.agent.tool import ExecutionContext

DEFAULT_LINES = 2000  # read without a limit
MAX_READ_BYTES = 16 << 20


class SessionTool(BaseTool):
    """A tool that uses the session."""

    category = ToolCategory.FILES

    def __init__(self, manager: ShellManager, *, guard: Guard | None = None) -> None:
        self.manager = manager
        self._guard = guard or Guard()

    def _allowed_path(self, path: str) -> str:
        """Resolve a path; raise PermissionError if it is outside the permitted directories."""
        resolve_path = self.manager.resolve_path
        real = resolve_path(path)
        if not self._guard.is_inside(real, resolve_path) and not is_below(real, OUTPUT_DIRECTORY):
            raise PermissionError(EPERM, strerror(EPERM), real)
        return real


class ReadTool(SessionTool):
    """Reads lines of a file."""

    name = "Read"
    description = (
        "Reads lines of a file as the session sees it, also of those in /v/output. Returns how "
        "many lines follow."
    )
    parameters = (
        ToolParameter("path", "string", "The file", required=True),
        ToolParameter(
            "offset", "integer", "The first line to read, counted from 1", default=1, minimum=1
        ),
        ToolParameter(
            "limit", "integer", "How many lines to read", default=DEFAULT_LINES, minimum=1
        ),
    )

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        try:
            path = self._allowed_path(arguments["path"])
            if refusal := await self._guard.judge_file("read", path):
                return ToolResult.fail(f"{arguments['path']}: {refusal}")
            data = await on_thread(lambda _: self._content(path))
        except OSError as error:
            return ToolResult.fail(f"{arguments['path']}: {os_error_text(error)}")
        except CommandFailure as denial:
            return ToolResult.fail(str(denial))
        if len(data) > MAX_READ_BYTES:
            return ToolResult.fail(
                f"{arguments['path']}: is over {MAX_READ_BYTES} bytes; use head or sed"
            )
        lines = data.decode("utf-8", "replace").splitlines(keepends=True)
        first = arguments["offset"] - 1
        selected = lines[first : first + arguments["limit"]]
        output, cut = self.manager.outputs.preview("".join(selected))
        rest = max(0, len(lines) - first - len(selected))
        metadata: dict[str, Any] = {"path": path, "lines": len(lines), "more": rest}
        if cut is not None:
            metadata["cut"] = cut
        return ToolResult.ok(output, **metadata)

    def _content(self, path: str) -> bytes:
        """Return the bytes of a file, at most one more than MAX_READ_BYTES."""
        pieces: list[bytes] = []
        size = 0
        with self.manager.session.open_file(path) as stream:
            while size <= MAX_READ_BYTES and (piece := stream.read(MAX_READ_BYTES + 1 - size)):
                pieces.append(piece)
                size += len(piece)
        return b"".join(pieces)


class WriteTool(SessionTool):
    """Writes a file."""

    name = "Write"
    description = "Writes a file as the session sees it, and creates its parent directories."
    parameters = (
        ToolParameter("path", "string", "The file", required=True),
        ToolParameter("content", "string", "The whole content of the file", required=True),
    )

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        content: str = arguments["content"]
        try:
            path = self._allowed_path(arguments["path"])
            if refusal := await self._guard.judge_file("write", path):
                return ToolResult.fail(f"{arguments['path']}: {refusal}")
            if context.dry_run:
                return ToolResult.ok(f"[Dry Run] Would write: {path}", path=path, dry_run=True)
            changes = await on_thread(lambda _: self.manager.session.write_file(path, content))
        except OSError as error:
            return ToolResult.fail(f"{arguments['path']}: {os_error_text(error)}")
        except CommandFailure as denial:
            return ToolResult.fail(str(denial))
        metadata = {"changes": changes_summary(changes)} if changes else {}
        message = f"{len(content)} characters were written to {path}"
        return ToolResult.ok(message, path=path, **metadata)


class ResetTool(SessionTool):
    """Resets the session."""

    name = "Reset"
    category = ToolCategory.EXECUTION
    description = (
        "Resets the session: clears variables and functions, returns to the first directory, and "
        "kills what runs in the background. Files stay."
    )

    async def _execute(self, context: ExecutionContext, arguments: Mapping[str, Any]) -> ToolResult:
        if context.dry_run:
            return ToolResult.ok("[Dry Run] Would reset the session", dry_run=True)
        await on_thread(lambda _: self.manager.reset())
        return ToolResult.ok(f"The session was reset; its directory is {self.manager.session.cwd}")
